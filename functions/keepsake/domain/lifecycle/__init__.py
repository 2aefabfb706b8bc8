"""How long memories live, and when many become one."""
