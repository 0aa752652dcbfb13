// Building the page. Text goes in as text nodes only, so no name is ever read as HTML.

function byId(id) {
  return document.getElementById(id);
}

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "scope") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

function number(value, digits) {
  if (value === null || value === undefined) return "–";
  const text = value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return text.replace(/^-(0\.?0*)$/, "$1");
}

// From the decimal logarithm: p-values may be smaller than any number of the language.
function pValue(log10) {
  if (log10 === null || log10 === undefined) return "–";
  if (log10 > -3) return (10 ** log10).toPrecision(2);
  let exponent = Math.floor(log10);
  let digits = (10 ** (log10 - exponent)).toFixed(1);
  if (digits === "10.0") [digits, exponent] = ["1.0", exponent + 1];
  return `${digits}e${exponent}`;
}

function counted(n, what) {
  return `${number(n, 0)} ${what}${n === 1 ? "" : "s"}`;
}

function say(sentence) {
  byId("status").textContent = sentence;
}
