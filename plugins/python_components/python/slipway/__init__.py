"""The Python part of Slipway's plug-in for components in Python. Its modules work with Python 3.8 and later."""
