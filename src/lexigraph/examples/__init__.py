"""Table designs to copy from: each module is one design, small and on public names only."""
