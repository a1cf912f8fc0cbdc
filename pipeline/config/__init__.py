"""Typed, strict configuration."""
