"""The change log: what commits changed, never to what, for those who read it later."""
