"""What engines answer with besides cells: columns of elements, columns of vertices."""
