"""One table: what was sensed goes in, the game goes on, light and news come out.

`Table` joins the pure rooms below it and keeps no clock: it is told the time, says when it wants to be told again, and
hands out what happened as notices. `controller.app` drives it in real time, `controller.rehearse` in simulated time.
"""
