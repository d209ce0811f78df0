"use strict";

// The common functions of all scripts: finding and making elements, formatting numbers.

function byId(id) {
  return document.getElementById(id);
}

/** Appends a child in the SVG namespace; attributes that are null are omitted. */
function svgElement(parent, tag, attributes = {}, text = "") {
  const child = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) child.setAttribute(name, value);
  if (text) child.textContent = text;
  return parent.appendChild(child);
}

function toggle(element, visible) {
  element.setAttribute("visibility", visible ? "visible" : "hidden");
}

/** Digits in threes: 477 906. */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** A number of things: 1 piece, 17 pieces, 2 assemblies. */
function counted(number, word) {
  return `${grouped(number)} ${number === 1 ? word : plural(word)}`;
}

function plural(word) {
  return word.endsWith("y") ? word.slice(0, -1) + "ies" : word + "s";
}
