// Sorts the table by the column whose heading is pressed; pressing again reverses. Missing numbers stay last.
(function () {
  "use strict";
  var table = document.querySelector("table.sortable");
  var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
  var names = new Intl.Collator("en", { numeric: true });

  function compare(a, b, kind, sign) {
    if (kind !== "number") { return sign * names.compare(a, b); }
    if (a === "" || b === "") { return (a === "") - (b === ""); }
    return sign * (Number(a) - Number(b));
  }

  heads.forEach(function (head, column) {
    var button = head.querySelector("button");
    if (!button) { return; }
    button.addEventListener("click", function () {
      var rising = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach(function (other) { if (other.hasAttribute("aria-sort")) { other.setAttribute("aria-sort", "none"); } });
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      var body = table.tBodies[0];
      Array.prototype.slice.call(body.rows)
        .sort(function (a, b) {
          return compare(a.cells[column].dataset.value, b.cells[column].dataset.value, button.dataset.kind, rising ? 1 : -1);
        })
        .forEach(function (row) { body.appendChild(row); });
    });
  });
})();
