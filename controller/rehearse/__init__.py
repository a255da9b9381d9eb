"""Scripted play: what hands do, in simulated time, and what the controller makes of it.

The language is described in docs/rehearsals.md. `controller.rehearse.script` reads it, `controller.rehearse.stage`
lets simulated time pass over a rig, `controller.rehearse.steps` carries the steps out.
"""
