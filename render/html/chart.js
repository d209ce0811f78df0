// Nodes by depth on a logarithmic scale: bars for the first series, a line with dots for the second.

const CHART = { left: 44, right: 6, top: 8, bottom: 34, height: 210, lowest: -3 };

/** The numbers at each depth: logarithms (null for no number) and texts. */
function nodesByDepth(nodes) {
  const bound = nodes.complete ? "" : "at least ";
  const logOf = (text) => (text === "0" ? null : Math.log10(Number(text)));
  const counts = nodes.actual.map((text) => ({ log: logOf(text), text: bound + grouped(text) }));
  const expected = nodes.predicted.map(([log, text]) => ({ log, text }));
  return { predicted: expected, actual: counts, depths: Math.max(expected.length, counts.length) };
}

/** Draws the chart; returns a function that moves its highlight to a depth. */
function drawChart(svg, values, pick) {
  svg.replaceChildren();
  const width = svg.getBoundingClientRect().width || 340;
  svg.setAttribute("viewBox", `0 0 ${width} ${CHART.height}`);
  const scales = chartScales(values, width);
  drawAxes(svg, values.depths, scales, width);
  const band = svgElement(svg, "rect", { class: "band", y: CHART.top, height: scales.floor - CHART.top });
  const [first, second] = values.predicted.length ? [values.predicted, values.actual] : [values.actual, []];
  drawBars(svg, first, scales);
  drawCurve(svg, second, scales);
  svg.onclick = (event) => pick(scales.depthAt(event.clientX - svg.getBoundingClientRect().left));
  return (depth) => {
    toggle(band, depth >= 1 && depth <= values.depths);
    const reach = Math.max(scales.step, 3);
    band.setAttribute("x", scales.x(depth) - reach / 2);
    band.setAttribute("width", reach);
  };
}

function chartScales(values, width) {
  const logs = [...values.predicted, ...values.actual].map((value) => value.log).filter((log) => log !== null);
  const low = Math.max(Math.min(0, ...logs), CHART.lowest) - 0.4;
  const high = Math.max(1, ...logs) * 1.04;
  const step = (width - CHART.left - CHART.right) / values.depths;
  const floor = CHART.height - CHART.bottom;
  return {
    low, high, step, floor,
    x: (depth) => CHART.left + step * (depth - 0.5),
    y: (log) => floor - (Math.max(log - low, 0) / (high - low)) * (floor - CHART.top),
    depthAt: (x) => Math.min(Math.max(Math.ceil((x - CHART.left) / step), 1), values.depths),
  };
}

/** The smallest round step with at most a given number of ticks. */
function roundStep(span, most) {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [unit, 2 * unit, 5 * unit]) if (span / step <= most) return step;
  }
}

function drawAxes(svg, depths, scales, width) {
  const down = roundStep(scales.high - scales.low, 6);
  for (let log = Math.ceil(scales.low / down) * down; log <= scales.high; log += down) {
    const y = scales.y(log);
    svgElement(svg, "path", { class: "grid-line", d: `M${CHART.left} ${y}H${width - CHART.right}` });
    const place = { x: CHART.left - 6, y: y + 4, "text-anchor": "end" };
    const label = svgElement(svg, "text", place, log === 0 ? "1" : "10");
    if (log) svgElement(label, "tspan", { dy: -5, "font-size": 10 }, String(log).replace("-", "\u2212"));
  }
  const across = roundStep(depths, Math.max(width / 50, 2));
  for (let depth = across; depth <= depths; depth += across) {
    svgElement(svg, "text", { x: scales.x(depth), y: scales.floor + 14, "text-anchor": "middle" }, String(depth));
  }
  const middle = (CHART.left + width - CHART.right) / 2;
  svgElement(svg, "text", { x: middle, y: CHART.height - 3, "text-anchor": "middle" }, "depth (pieces placed)");
}

function drawBars(svg, values, scales) {
  const width = Math.max(scales.step - Math.min(2, 0.2 * scales.step), 0.8);
  values.forEach(({ log }, index) => {
    if (log === null || log <= scales.low) return;
    const [x, y] = [scales.x(index + 1) - width / 2, scales.y(log)];
    svgElement(svg, "rect", { class: "bar", x, y, width, height: scales.floor - y });
  });
}

function drawCurve(svg, values, scales) {
  const known = values.map(({ log }, index) => ({ log, depth: index + 1 })).filter(({ log }) => log !== null);
  if (!known.length) return;
  const points = known.map(({ log, depth }) => [scales.x(depth), scales.y(log)]);
  svgElement(svg, "polyline", { class: "curve", points: points.map((point) => point.join(",")).join(" ") });
  const r = Math.min(3, 0.5 * scales.step + 1);
  for (const [cx, cy] of points) svgElement(svg, "circle", { class: "dot", cx, cy, r });
}
