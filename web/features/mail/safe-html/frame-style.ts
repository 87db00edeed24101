/** The paper on which HTML mails are shown: white, since mails are written for it; dark, as the surface of the page, only for those without colours of their own. */
export const frameStyle = `
html { color-scheme: light; background: #fff; overflow-y: hidden; }
body { margin: 0; padding: 20px 24px; box-sizing: border-box; overflow-wrap: anywhere; background: #fff; color: #1d2029;
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (max-width: 480px) { body { padding: 16px 20px; } }
body > :first-child { margin-top: 0; }
body > :last-child { margin-bottom: 0; }
img { max-width: 100%; height: auto; }
table { overflow-wrap: normal; }
pre { white-space: pre-wrap; }
a { color: #2f49d1; }
html.dark, html.dark body { color-scheme: dark; background: #16191e; color: #eceef2; }
html.dark a { color: #a9bbff; }
html.dark blockquote { border-color: #3a3f4a; color: #b3b8c4; }
a:focus-visible { outline: 2px solid #2f49d1; outline-offset: 2px; }
blockquote { margin: 12px 0 0; padding-left: 14px; border-left: 3px solid #dcdfe8; color: #4d5364; }
.remote-image { display: inline-flex; align-items: center; justify-content: center; box-sizing: border-box;
  max-width: 100%; min-width: 48px; padding: 4px 10px; overflow: hidden; border: 1px dashed #c3c8d4; border-radius: 8px;
  background: #f5f6f9; color: #5a6072; font: 12px/1.4 system-ui, sans-serif; text-align: center; vertical-align: middle; }
.room { display: inline-block; }
html.dark .remote-image { border-color: #4a505d; background: #23272f; color: #b3b8c4; }
details.quote { margin-top: 12px; }
details.quote > summary { display: inline-flex; align-items: center; min-height: 24px; padding: 0 10px; border-radius: 12px;
  background: #e9ebf1; color: #4d5364; font: 10px/1 system-ui, sans-serif; letter-spacing: 1px; list-style: none; cursor: pointer; }
details.quote > summary::-webkit-details-marker { display: none; }
details.quote > summary:hover { background: #dcdfe8; }
details.quote > summary:focus-visible { outline: 2px solid #2f49d1; outline-offset: 2px; }
details.quote[open] > summary { margin-bottom: 8px; }
html.dark details.quote > summary { background: #2c313b; color: #b3b8c4; }
`
