// The browser's storage.  Where it is denied or full, a page works without it.

function store(key, kept) {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The page goes on without it.
  }
}

/** What `read` makes of what was stored; null if that is nothing or damaged. */
function stored(key, read) {
  try {
    return read(JSON.parse(localStorage.getItem(key)));
  } catch {
    return null;
  }
}
