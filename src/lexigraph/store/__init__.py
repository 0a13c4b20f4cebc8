"""Tables of sorted, labelled cells: the contract, the stages and the engines."""
