"""Questions about records: facts are read and assembled, and their elements join the others."""
