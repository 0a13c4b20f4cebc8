"""Stages that look at cells as cells."""
