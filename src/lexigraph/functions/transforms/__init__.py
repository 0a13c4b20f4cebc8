"""Transforms: functions from values to values."""
