// The SHA-256 of a text, as 64 hexadecimal digits.

/** By the browser where it offers that, which it does in secure contexts only; otherwise by `plainSha256`. */
async function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  if (!globalThis.crypto?.subtle) return plainSha256(bytes);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** FIPS 180-4, section 6.2. */
function plainSha256(bytes) {
  const { start, rounds } = sha256Constants();
  const words = sha256Words(bytes);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const state = [...start];
  const w = new Array(64);
  for (let block = 0; block < words.length; block += 16) {
    for (let i = 0; i < 16; i++) w[i] = words[block + i];
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15], w[i - 2]];
      const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      w[i] = (w[i - 16] + small + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The message in words of 32 bits, padded to blocks of 16. */
function sha256Words(bytes) {
  const words = new Array(16 * Math.ceil((bytes.length + 9) / 64)).fill(0);
  bytes.forEach((byte, i) => (words[i >> 2] |= byte << (24 - 8 * (i & 3))));
  words[bytes.length >> 2] |= 0x80 << (24 - 8 * (bytes.length & 3));
  words[words.length - 1] = 8 * bytes.length;
  return words;
}

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
function sha256Constants() {
  const [start, rounds] = [[], []];
  for (let n = 2; rounds.length < 64; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) isPrime &&= n % d !== 0;
    if (!isPrime) continue;
    const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
    if (start.length < 8) start.push(bits(Math.sqrt(n)));
    rounds.push(bits(Math.cbrt(n)));
  }
  return { start, rounds };
}
