"""The HTML page at the root of the gateway: lists the functions and the next steps."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Keepsake</title>
<style>
  body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem;
         color: CanvasText; background: Canvas; color-scheme: light dark }}
  code {{ font-size: .95em }}
  li {{ margin: .2rem 0 }}
</style>
<h1>Keepsake is running</h1>
<p>This is a local Supabase project with a memory. Its keys are printed by <code>keepsake status</code>.</p>
<h2>What is here</h2>
<ul>
  <li><code>/rest/v1</code>: PostgREST; give it the <code>apikey</code> header</li>
  <li><a href="/health"><code>/health</code></a>: whether the functions are up</li>
  <li><code>/functions/v1/…</code>:
    <ul>
{functions}
    </ul>
  </li>
</ul>
<h2>Next</h2>
<p><code>keepsake token --user ada@example.com</code> signs a person in,
<code>keepsake demo</code> replays a conversation and shows what is remembered.</p>
</html>
"""


def welcome_page(functions: Sequence[str]) -> str:
    """Render the page with the names of the loaded functions."""
    items = "\n".join(f"      <li><code>{escape(name)}</code></li>" for name in functions)
    return _PAGE.format(functions=items)
