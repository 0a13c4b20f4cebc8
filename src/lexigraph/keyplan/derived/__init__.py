"""Plans made from a key plan: rolled up, summarised, cut to some fields."""
