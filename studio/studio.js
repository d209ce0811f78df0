// What the pages of the studio do in the browser.
