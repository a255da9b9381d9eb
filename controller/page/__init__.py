"""The browser page: a board that every open page shows alike, and hands that move its stones.

What a composition needs is in three light modules; starlette and uvicorn are imported when a page is first served:

- `controller.page.desk`: what the page shows and whom it asks (`Desk`, `RequestError`).
- `controller.page.server`: `PageServer`, `serve`, `PortInUseError`.
- `controller.page.addresses`: where a person finds the page.
"""
