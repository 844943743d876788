"""How the session logs of the sample world are made: one module per agent."""
