// Shared by all pages of a study: figures show their values, tables sort and filter. Pages are complete without it.
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg";

  function list(nodes) { return Array.prototype.slice.call(nodes); }

  // ---- Values of a panel's curves, by pointer, touch or arrow keys; they are stored as JSON below each figure ----

  function readable(svg, panel) {
    var left = panel.box[0], top = panel.box[1], right = panel.box[2], bottom = panel.box[3];
    var low = panel.y[0], high = panel.y[1], percent = null, mark = null, readout = null;

    function text(value) {
      return (value === 0 ? 0 : value).toFixed(panel.decimals).replace("-", "\u2212");
    }

    function where() {
      var x = panel.x[0] + percent / 100 * (panel.x[1] - panel.x[0]);
      return (panel.units === "%" ? x : x.toFixed(2)) + " " + panel.units;
    }

    function prepare() {
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

    function say(words, style) {
      var row = document.createElement("span");
      row.className = style;
      row.textContent = words;
      readout.appendChild(row);
    }

    function show(wanted) {
      percent = Math.max(0, Math.min(100, wanted));
      if (!mark) { prepare(); }
      var x = left + percent / 100 * (right - left);
      mark.textContent = readout.textContent = "";
      draw("path", { d: "M" + x + " " + top + "V" + bottom });
      say(where(), "at");
      panel.curves.forEach(function (curve) {
        var values = curve.values.map(function (own) { return own[percent]; });
        if (values.indexOf(null) >= 0) { return; }
        var style = document.getElementById(curve.id).getAttribute("class").replace("curve ", "");
        if (values.length === 1) {
          draw("circle", { cx: x, cy: bottom - (values[0] - low) / (high - low) * (bottom - top), r: 3, "class": style });
        }
        say(curve.label + " " + values.map(text).join(" to "), style);
      });
      readout.hidden = false; // below the figure, so that it does not hide curves
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

  list(document.querySelectorAll("script.curves")).forEach(function (script) {
    var panels = JSON.parse(script.textContent);
    Object.keys(panels).forEach(function (id) { readable(document.getElementById(id), panels[id]); });
  });

  // ---- Pressing a heading sorts the table by its column; pressing again reverses. Missing numbers stay last. ----

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
        var before = function (a, b) {
          return compare(a.cells[column].dataset.value, b.cells[column].dataset.value, button.dataset.kind, rising ? 1 : -1);
        };
        if (table.dataset.rows) { table.dispatchEvent(new CustomEvent("sorted", { detail: before })); return; }
        list(table.tBodies[0].rows).sort(before).forEach(function (row) { table.tBodies[0].appendChild(row); });
      });
    });
  }

  list(document.querySelectorAll("table.sortable")).forEach(sortable);

  // ---- The study's table shows the rows with all words typed and a ticked status, a limited number at a time. ----
  // The first rows are in the page; the others stay text until they are searched, sorted or shown.

  var form = document.querySelector("form.filter");
  if (form) {
    var table = document.querySelector("table.sortable"), ROWS = Number(table.dataset.rows), page = 0, flat = false;
    var stored = document.querySelector("script.rows");
    var lines = list(table.tBodies[0].rows).map(function (row) { return { row: row, status: row.dataset.status || "" }; });
    lines = lines.concat(stored ? JSON.parse(stored.textContent) : []);
    var order = lines, shown = form.querySelector("output"), button = form.elements;

    var row = function (line) {
      if (!line.row) {
        var body = document.createElement("tbody");
        body.innerHTML = line.html;
        line.row = body.rows[0];
      }
      return line.row;
    };
    var text = function (line) {
      if (line.text === undefined) { line.text = row(line).textContent.toLowerCase(); }
      return line.text;
    };
    var apply = function () {
      var words = button.words.value.toLowerCase().split(/\s+/).filter(Boolean);
      var ticked = list(form.querySelectorAll("input[type=checkbox]:checked")).map(function (box) { return box.value; });
      var fits = function (line, group) {
        return ticked.indexOf(line.status) >= 0 && words.every(function (word) {
          return text(line).indexOf(word) >= 0 || (group && text(group).indexOf(word) >= 0);
        });
      };
      var count = 0, all = 0, group = null, told = null, rows = [];
      order.forEach(function (line) {
        if (!line.status) { group = line; return; } // the heading of a session
        all += 1;
        if (!fits(line, group)) { return; }
        if (Math.floor(count / ROWS) === page) {
          if (group !== told) { rows.push(row(told = group)); }
          rows.push(row(line));
        }
        count += 1;
      });
      if (page && page * ROWS >= count) { page = Math.max(Math.ceil(count / ROWS) - 1, 0); return apply(); }
      table.tBodies[0].replaceChildren.apply(table.tBodies[0], rows);
      var part = count > ROWS ? ", " + (page * ROWS + 1) + " to " + Math.min(count, (page + 1) * ROWS) : "";
      shown.textContent = count + " of " + all + " trials" + part;
      button.previous.hidden = button.next.hidden = count <= ROWS;
      button.previous.disabled = page === 0;
      button.next.disabled = (page + 1) * ROWS >= count;
      button.grouped.hidden = !flat;
    };
    var turn = function (to) { page = to; apply(); table.parentNode.scrollTop = 0; };
    form.hidden = false;
    form.addEventListener("input", function () { turn(0); });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    table.addEventListener("sorted", function (event) {
      flat = true; // in another order, headings of sessions make no sense
      order = order.filter(function (line) { return line.status; });
      order.sort(function (a, b) { return event.detail(row(a), row(b)); });
      turn(0);
    });
    button.previous.addEventListener("click", function () { turn(page - 1); });
    button.next.addEventListener("click", function () { turn(page + 1); });
    button.grouped.addEventListener("click", function () {
      flat = false;
      list(table.tHead.rows[0].cells).forEach(function (head) { if (head.hasAttribute("aria-sort")) { head.setAttribute("aria-sort", "none"); } });
      order = lines;
      turn(0);
    });
    apply();
  }
})();
