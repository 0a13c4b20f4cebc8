"""What a cluster is like: access, versions, tables, a trial of all parts."""
