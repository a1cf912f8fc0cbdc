// Shared by all pages of a study: figures tell their values, tables sort and filter. A page is whole without it.
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg";

  function list(nodes) { return Array.prototype.slice.call(nodes); }

  // ---- Values of a figure at a percent of the cycle, by pointer, touch or arrow keys ----

  function points(path) {
    return (path.getAttribute("d").match(/-?[\d.]+ -?[\d.]+/g) || []).map(function (pair) {
      return pair.split(" ").map(Number);
    });
  }

  function readable(svg) {
    var box = svg.dataset, left = +box.left, right = +box.right, top = +box.top, bottom = +box.bottom;
    var first = +(box.first || 0), last = +(box.last || 100), units = box.units || "%"; // over the cycle, or over time
    var low = +box.low, high = +box.high, decimals = +box.decimals;
    var percent = null, lines = null, mark = null, readout = null;

    function value(y) {
      var text = (high - (y - top) / (bottom - top) * (high - low)).toFixed(decimals);
      return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
    }

    function prepare() {
      lines = list(svg.querySelectorAll("path[data-label]")).map(function (path) {
        return { label: path.dataset.label, style: path.getAttribute("class"), points: points(path) };
      });
      mark = document.createElementNS(SVG, "g");
      mark.setAttribute("class", "mark");
      svg.appendChild(mark);
      readout = document.createElement("p");
      readout.className = "readout";
      readout.setAttribute("role", "status");
      svg.parentNode.appendChild(readout);
    }

    function draw(name, attributes) {
      var node = document.createElementNS(SVG, name);
      Object.keys(attributes).forEach(function (key) { node.setAttribute(key, attributes[key]); });
      mark.appendChild(node);
    }

    function say(text, style) {
      var row = document.createElement("span");
      row.className = style;
      row.textContent = text;
      readout.appendChild(row);
    }

    function show(wanted) {
      percent = Math.max(0, Math.min(100, wanted));
      if (!lines) { prepare(); }
      var x = left + percent / 100 * (right - left), near = 0.004 * (right - left);
      mark.textContent = readout.textContent = "";
      draw("path", { d: "M" + x + " " + top + "V" + bottom });
      say((units === "%" ? percent : (first + percent / 100 * (last - first)).toFixed(2)) + " " + units, "at");
      lines.forEach(function (line) {
        var here = units === "%" ? line.points.filter(function (point) { return Math.abs(point[0] - x) < near; })
          : nearest(line.points, x, 5 * near);
        if (!here.length) { return; }
        var ys = here.map(function (point) { return point[1]; });
        var text = here.length > 1
          ? value(Math.max.apply(null, ys)) + " to " + value(Math.min.apply(null, ys)) : value(ys[0]);
        if (here.length === 1) { draw("circle", { cx: x, cy: ys[0], r: 3, "class": line.style.replace("curve ", "") }); }
        say(line.label + " " + text, line.style.replace("curve ", ""));
      });
      readout.hidden = false; // below the figure, so that it hides none of the curves
    }

    function nearest(points, x, within) {
      var best = points.reduce(function (a, b) { return Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a; }, [Infinity, 0]);
      return Math.abs(best[0] - x) < within ? [best] : [];
    }

    function hide() {
      if (mark) { mark.textContent = ""; readout.hidden = true; }
    }

    function follow(event) {
      var rect = svg.getBoundingClientRect();
      var x = (event.clientX - rect.left) / rect.width * svg.viewBox.baseVal.width;
      if (x < left - 6 || x > right + 6) { hide(); } else { show(Math.round(100 * (x - left) / (right - left))); }
    }

    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", follow);
    svg.addEventListener("pointerdown", follow);
    svg.addEventListener("pointerleave", function () { if (document.activeElement !== svg) { hide(); } });
    svg.addEventListener("focus", function () { if (svg.matches(":focus-visible")) { show(percent === null ? 50 : percent); } });
    svg.addEventListener("blur", hide);
    svg.addEventListener("keydown", function (event) {
      var step = event.shiftKey ? 10 : 1, now = percent === null ? 50 : percent;
      var to = { ArrowLeft: now - step, ArrowRight: now + step, Home: 0, End: 100 }[event.key];
      if (event.key === "Escape") { hide(); }
      if (to !== undefined) { event.preventDefault(); show(to); }
    });
  }

  list(document.querySelectorAll("svg[data-low]")).forEach(readable);

  // ---- Tables sort by the column whose heading is pressed; pressing again reverses. Missing numbers stay last. ----

  var names = new Intl.Collator("en", { numeric: true });

  function compare(a, b, kind, sign) {
    if (kind !== "number") { return sign * names.compare(a, b); }
    if (a === "" || b === "") { return (a === "") - (b === ""); }
    return sign * (Number(a) - Number(b));
  }

  function sortable(table) {
    var heads = list(table.tHead.rows[table.tHead.rows.length - 1].cells); // groups of columns may stand above
    heads.forEach(function (head, column) {
      var button = head.querySelector("button");
      if (!button) { return; }
      button.addEventListener("click", function () {
        var rising = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach(function (other) { if (other.hasAttribute("aria-sort")) { other.setAttribute("aria-sort", "none"); } });
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        var body = table.tBodies[0];
        list(body.rows)
          .sort(function (a, b) {
            return compare(a.cells[column].dataset.value, b.cells[column].dataset.value, button.dataset.kind, rising ? 1 : -1);
          })
          .forEach(function (row) { body.appendChild(row); });
      });
    });
  }

  list(document.querySelectorAll("table.sortable")).forEach(sortable);

  // ---- The study's table shows the rows that have every word typed, and a status that is ticked ----

  var form = document.querySelector("form.filter");
  if (form) {
    var rows = list(document.querySelector("table.sortable").tBodies[0].rows).map(function (row) {
      return { row: row, status: row.dataset.status, text: row.textContent.toLowerCase() };
    });
    var shown = form.querySelector("output");
    var apply = function () {
      var words = form.elements.words.value.toLowerCase().split(/\s+/);
      var ticked = list(form.querySelectorAll("input[type=checkbox]:checked")).map(function (box) { return box.value; });
      var count = 0;
      rows.forEach(function (item) {
        var fits = ticked.indexOf(item.status) >= 0 && words.every(function (word) { return item.text.indexOf(word) >= 0; });
        item.row.hidden = !fits;
        count += fits;
      });
      shown.textContent = count + " of " + rows.length + " trials";
    };
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    apply();
  }
})();
