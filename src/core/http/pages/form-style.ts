/** The style of a page that is one form: what is pressed is large enough for a thumb, and what has the focus shows it. */
export const formStyle = [
  ':root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}',
  'body{margin:0;background:light-dark(#fff,#121212);color:light-dark(#1a1a1a,#f0f0f0)}',
  'main{box-sizing:border-box;max-width:34rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}',
  'h1{margin:0;font-size:1.5rem;line-height:1.25}',
  'button{box-sizing:border-box;width:100%;min-height:3rem;padding:.5rem 1rem;border:1px solid transparent;border-radius:.5rem;background:light-dark(#0b6a61,#7fd6ca);color:light-dark(#fff,#06201d);font:inherit;font-weight:600;cursor:pointer}',
  'a{display:inline-block;padding:.5rem 0;color:light-dark(#0b6a61,#7fd6ca)}',
  ':focus-visible{outline:3px solid;outline-color:light-dark(#1a1a1a,#f0f0f0);outline-offset:3px}',
].join('');

/** What the policy of these pages allows by: the hash of that style, which a test computes anew. */
export const formStyleHash = 'sha256-jrbgdDI5cpRrQnFsGPj6JG37DjucRhXy5YYQWRE9vbc=';
