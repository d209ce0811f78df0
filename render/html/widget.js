// A page to play in the output of a notebook's cell: the frame with the page, and what lies on its table as the value
// `laid` of the widget's model.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = model.get("title");
  frame.srcdoc = model.get("page");
  Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: "0" });
  let isHearing = false;
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || !Array.isArray(data?.laid)) return;
    isHearing = true;
    model.set("laid", data.laid);
    isHearing = false;
    model.save_changes();
  };
  const tell = () => {
    const lay = model.get("laid");
    if (!isHearing && lay) frame.contentWindow.postMessage({ lay }, "*");
  };
  window.addEventListener("message", hear);
  frame.addEventListener("load", tell);
  model.on("change:laid", tell);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:laid", tell);
  };
}

export default { render };
