// The 3-D view, shared by all pages of a study; pipeline/reporting/viewer/scene.py defines the data.
// Playback starts on request only.
(function () {
  "use strict";
  var MISSING = -32768;
  var METRES_PER_WEIGHT = 0.55; // length of a force of one body weight
  var VIEWS = { // camera directions: degrees from the walker's right towards the front, and upwards
    right: [0, 6], front: [90, 6], left: [180, 6], back: [270, 6], top: [0, 90], oblique: [38, 14]
  };
  var FORCE = "#1d7a46", FLOOR = "#e3e8ed", PLATE = "#c3ccd5", FOCAL = 4;

  function list(nodes) { return Array.prototype.slice.call(nodes); }

  function unpack(text) {
    var raw = atob(text), values = new Float32Array(raw.length / 2);
    for (var k = 0; k < values.length; k += 1) {
      var whole = raw.charCodeAt(2 * k) | raw.charCodeAt(2 * k + 1) << 8;
      whole = whole > 32767 ? whole - 65536 : whole;
      values[k] = whole === MISSING ? NaN : whole / 1000;
    }
    return values;
  }

  // Position of point `index` of `count` at a frame, interpolated linearly; NaN if a neighbouring frame is missing.
  function at(values, count, index, frame) {
    var low = Math.floor(frame), share = frame - low, here = 3 * (low * count + index), next = here + 3 * count;
    return [0, 1, 2].map(function (k) {
      return share === 0 ? values[here + k] : (1 - share) * values[here + k] + share * values[next + k];
    });
  }

  function known(place) { return place[0] === place[0] && place[1] === place[1] && place[2] === place[2]; }
  function add(a, b, share) { return [a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]]; }
  function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  function mixed(colour, other, share) {
    function part(from, k) { return parseInt(from.slice(1 + 2 * k, 3 + 2 * k), 16); }
    return "rgb(" + [0, 1, 2].map(function (k) {
      return Math.round((1 - share) * part(colour, k) + share * part(other, k));
    }).join(",") + ")";
  }

  function darker(colour) {
    return "#" + [0, 1, 2].map(function (k) {
      return ("0" + Math.round(0.55 * parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16)).toString(16)).slice(-2);
    }).join("");
  }

  // Corners of the convex hull of points on the floor, by Andrew's monotone chain.
  function hull(points) {
    var sorted = points.slice().sort(function (a, b) { return a[0] - b[0] || a[2] - b[2]; });
    function chain(ordered) {
      var found = [];
      ordered.forEach(function (p) {
        while (found.length > 1) {
          var a = found[found.length - 2], b = found[found.length - 1];
          if ((b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]) > 0) { break; }
          found.pop();
        }
        found.push(p);
      });
      return found.slice(0, -1);
    }
    return sorted.length < 3 ? sorted : chain(sorted).concat(chain(sorted.reverse()));
  }

  function body(stored, frames) {
    var figure = {
      name: stored.name, count: stored.count, points: unpack(stored.points), bones: stored.bones,
      labels: stored.labels, markers: unpack(stored.markers), soles: stored.soles,
      forces: stored.forces.map(function (f) { return { side: f.side, at: unpack(f.at), force: unpack(f.force) }; })
    };
    // The first bone joins the hips: its midpoint defines the position of the body along the scene.
    function middle(frame) {
      var one = at(figure.points, figure.count, figure.bones[0][0], frame);
      return add(one, add(at(figure.points, figure.count, figure.bones[0][1], frame), one, -1), 0.5);
    }
    var seen = [], sideways = 0;
    figure.top = [figure.points, figure.markers].reduce(function (top, values) {
      for (var k = 1; k < values.length; k += 3) { top = values[k] > top ? values[k] : top; }
      return top;
    }, 0);
    for (var frame = 0; frame < frames; frame += 1) { if (known(middle(frame))) { seen.push(frame); } }
    var first = seen[0], last = seen[seen.length - 1];
    seen.forEach(function (frame) { sideways += middle(frame)[2] / seen.length; });
    var start = seen.length ? middle(first)[0] : 0, way = last > first ? (middle(last)[0] - start) / (last - first) : 0;
    figure.along = function (frame) { return [start + way * (frame - (first || 0)), 0, sideways]; };
    return figure;
  }

  function viewer(root) {
    var data = JSON.parse(root.querySelector("script").textContent);
    var frames = data.clock.length, rate = (frames - 1) / data.duration;
    var figures = data.figures.map(function (stored) { return body(stored, frames); });
    var canvas = root.querySelector("canvas"), pen = canvas.getContext("2d"), form = root.querySelector("form");
    var slider = form.elements.frame, play = form.elements.play, readout = form.querySelector("output");
    var paper = getComputedStyle(document.documentElement);
    var colours = {
      left: paper.getPropertyValue("--left").trim(), right: paper.getPropertyValue("--right").trim(), "": "#77838f"
    };
    var still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    var frame = data.still, playing = false, before = 0, turn, lift, zoom, width, height;

    function ticked(name) { return form.elements[name] && form.elements[name].checked; }

    // ---- Drawing ----

    function camera(sideBySide) {
      var a = turn * Math.PI / 180, e = lift * Math.PI / 180;
      var back = [Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a)];
      var across = [Math.cos(a), 0, -Math.sin(a)];
      var up = [-Math.sin(e) * Math.sin(a), Math.cos(e), -Math.sin(e) * Math.cos(a)];
      var top = Math.max.apply(null, figures.map(function (figure) { return figure.top; }));
      var tall = 0.35 + 1.12 * top, broad = sideBySide ? 2.5 : 1.7;
      var distance = FOCAL * Math.max(tall, broad * height / width) / zoom;
      var target = ticked("follow") ? figures[0].along(frame) : figures[0].along((frames - 1) / 2);
      target = [target[0], 0.5 * top, target[2]];
      var size = FOCAL * height;
      function project(place) {
        var seen = add(place, target, -1), depth = distance - dot(seen, back), scale = size / Math.max(depth, 0.2);
        return { x: width / 2 + scale * dot(seen, across), y: height / 2 - scale * dot(seen, up), depth: depth, scale: scale };
      }
      project.across = across;
      return project;
    }

    function shape(points, fill, stroke, thickness, closed) {
      if (points.length < 2) { return; }
      pen.beginPath();
      points.forEach(function (p, k) { if (k) { pen.lineTo(p.x, p.y); } else { pen.moveTo(p.x, p.y); } });
      if (closed) { pen.closePath(); }
      if (fill) { pen.fillStyle = fill; pen.fill(); }
      if (stroke) { pen.strokeStyle = stroke; pen.lineWidth = thickness; pen.stroke(); }
    }

    function disc(p, radius, fill, stroke) {
      pen.beginPath();
      pen.arc(p.x, p.y, radius, 0, 2 * Math.PI);
      pen.fillStyle = fill;
      pen.fill();
      if (stroke) { pen.strokeStyle = stroke; pen.lineWidth = 1; pen.stroke(); }
    }

    function floor(project) {
      var middle = figures[0].along(ticked("follow") ? frame : (frames - 1) / 2);
      var x0 = Math.round(middle[0]), z0 = Math.round(middle[2]), reach = 3, step = 0.5;
      for (var d = -reach; d <= reach; d += step) {
        shape([[x0 + d, 0, z0 - reach], [x0 + d, 0, z0 + reach]].map(project), "", FLOOR, 1);
        shape([[x0 - reach, 0, z0 + d], [x0 + reach, 0, z0 + d]].map(project), "", FLOOR, 1);
      }
      data.plates.forEach(function (corners) {
        var places = [0, 1, 2, 3].map(function (k) { return [0, 1, 2].map(function (i) { return corners[3 * k + i] / 1000; }); });
        shape(places.map(project), "#f3f6f8", PLATE, 1.5, true);
      });
    }

    // A spindle is drawn as an ellipse of its projected length, but never shorter than its thickness.
    function spindle(a, b, radius, colour, alpha) {
      var thick = radius * (a.scale + b.scale) / 2, angle = Math.atan2(b.y - a.y, b.x - a.x);
      var half = Math.max(Math.hypot(b.x - a.x, b.y - a.y) / 2, thick);
      pen.save();
      pen.globalAlpha = alpha;
      pen.translate((a.x + b.x) / 2, (a.y + b.y) / 2);
      pen.rotate(angle);
      var shade = pen.createLinearGradient(0, -thick, 0, thick), flip = Math.cos(angle) < 0;
      shade.addColorStop(flip ? 1 : 0, mixed(colour, "#ffffff", 0.55));
      shade.addColorStop(0.5, mixed(colour, "#ffffff", 0.22));
      shade.addColorStop(flip ? 0 : 1, mixed(colour, "#000000", 0.18));
      pen.beginPath();
      pen.ellipse(0, 0, half, thick, 0, 0, 2 * Math.PI);
      pen.fillStyle = shade;
      pen.fill();
      pen.lineWidth = 0.8;
      pen.strokeStyle = mixed(colour, "#000000", 0.3);
      pen.stroke();
      pen.restore();
    }

    function arrow(from, to, colour) {
      var length = Math.hypot(to.x - from.x, to.y - from.y), head = Math.min(11, 0.4 * length);
      if (!length) { return; }
      var x = (to.x - from.x) / length, y = (to.y - from.y) / length;
      shape([from, { x: to.x - 0.7 * head * x, y: to.y - 0.7 * head * y }], "", colour, 3);
      shape([
        to, { x: to.x - head * x - 0.45 * head * y, y: to.y - head * y + 0.45 * head * x },
        { x: to.x - head * x + 0.45 * head * y, y: to.y - head * y - 0.45 * head * x }
      ], colour, "", 0, true);
    }

    function draw() {
      if (!width || !height) { return; }
      var sideBySide = figures.length > 1 && !ticked("over"), project = camera(sideBySide), parts = [];
      pen.clearRect(0, 0, width, height);
      pen.lineJoin = pen.lineCap = "round";
      floor(project);
      figures.forEach(function (figure, order) {
        // Several bodies walk together: each is moved to the first one, then sideways unless they are overlaid.
        var moved = add(figures[0].along(frame), figure.along(frame), -1);
        if (sideBySide) { moved = add(moved, project.across, order ? 0.55 : -0.55); }
        function seen(place) { return project(add(place, moved, 1)); }
        function point(k) { return at(figure.points, figure.count, k, frame); }
        function colour(side) { return figures.length > 1 && !order ? darker(colours[side]) : colours[side]; }
        var alpha = order && !sideBySide ? 0.6 : 1;

        if (ticked("forces")) {
          var standing = [];
          figure.soles.forEach(function (sole) {
            var bits = sole.contact[Math.floor(frame)];
            sole.points.forEach(function (k, bit) {
              var place = point(k);
              if (bits >> bit & 1 && known(place)) { standing.push([place[0], 0, place[2]]); }
            });
          });
          shape(hull(standing).map(seen), "rgba(226,172,63,0.28)", "#b98417", 1.2, true);
          figure.forces.forEach(function (load) {
            var trail = [];
            for (var k = 0; k <= frames; k += 1) {
              var spot = k < frames ? at(load.at, 1, 0, k) : [NaN];
              if (known(spot)) { trail.push(seen(spot)); } else { shape(trail, "", colour(load.side), 1.4); trail = []; }
            }
            var place = at(load.at, 1, 0, frame), force = at(load.force, 1, 0, frame);
            if (!known(place) || !known(force)) { return; }
            var from = seen(place);
            parts.push({ depth: from.depth - 0.02, draw: function () {
              disc(from, 4, FORCE, "#ffffff");
              arrow(from, seen(add(place, force, METRES_PER_WEIGHT)), FORCE);
            } });
          });
        }
        figure.bones.forEach(function (bone) {
          var start = point(bone[0]), end = point(bone[1]);
          if (!known(start) || !known(end)) { return; }
          var a = seen(start), b = seen(end);
          parts.push({ depth: (a.depth + b.depth) / 2, draw: function () { spindle(a, b, bone[2] / 1000, colour(bone[3]), alpha); } });
        });
        if (ticked("markers")) {
          figure.labels.forEach(function (label, k) {
            var place = at(figure.markers, figure.labels.length, k, frame);
            if (!known(place)) { return; }
            var spot = seen(place);
            parts.push({ depth: spot.depth - 0.03, draw: function () {
              disc(spot, Math.max(2, 0.011 * spot.scale), "#2b3640", "#ffffff");
              if (ticked("names")) { write(label, spot.x + 6, spot.y - 4, "11px", "left"); }
            } });
          });
        }
        if (sideBySide) {
          var above = seen([figure.along(frame)[0], 0, figure.along(frame)[2]]);
          parts.push({ depth: -1, draw: function () { write(figure.name, above.x, height - 10, "600 13px", "center"); } });
        }
      });
      parts.sort(function (a, b) { return b.depth - a.depth; }).forEach(function (part) { part.draw(); });
      showTime();
    }

    function write(text, x, y, font, align) {
      pen.font = font + " " + getComputedStyle(canvas).fontFamily;
      pen.textAlign = align;
      pen.lineWidth = 3;
      pen.strokeStyle = "#ffffff";
      pen.strokeText(text, x, y);
      pen.fillStyle = "#17212b";
      pen.fillText(text, x, y);
    }

    function showTime() {
      var low = Math.min(Math.floor(frame), frames - 2), share = frame - low;
      var now = frames > 1 ? (1 - share) * data.clock[low] + share * data.clock[low + 1] : data.clock[0];
      var unit = data.label.split(", ")[1] || "", text = now.toFixed(unit === "s" ? 2 : 0) + " " + unit;
      slider.value = frame;
      slider.setAttribute("aria-valuetext", text);
      readout.textContent = text;
    }

    // ---- Time ----

    function go(wanted) {
      var last = frames - 1;
      frame = data.loops && last ? (wanted % last + last) % last : Math.max(0, Math.min(last, wanted));
      if (data.loops && wanted === last) { frame = last; }
      draw();
    }

    function advance(now) {
      if (!playing) { return; }
      var wanted = frame + (now - before) / 1000 * rate * form.elements.speed.value, over = wanted >= frames - 1;
      before = now;
      if (over && still) { run(false); go(frames - 1); return; } // play only once
      go(over ? wanted - (frames - 1) : wanted);
      requestAnimationFrame(advance);
    }

    function run(wanted) {
      if (wanted && frame >= frames - 1) { frame = 0; }
      playing = wanted;
      play.textContent = wanted ? "Pause" : "Play";
      if (wanted) { requestAnimationFrame(function (now) { before = now; advance(now); }); }
    }

    // ---- Controls ----

    function look(name) {
      turn = VIEWS[name][0]; lift = VIEWS[name][1];
      draw();
    }

    function orbit(across, up) {
      turn = (turn + across + 360) % 360;
      lift = Math.max(-10, Math.min(90, lift + up));
      draw();
    }

    function nearer(factor) {
      zoom = Math.max(0.4, Math.min(6, zoom * factor));
      draw();
    }

    function reset() { zoom = 1; look(root.dataset.view || "oblique"); }

    function resize() {
      var dense = Math.max(2, window.devicePixelRatio || 1); // at least two, for print
      width = canvas.clientWidth; height = canvas.clientHeight;
      canvas.width = Math.round(width * dense); canvas.height = Math.round(height * dense);
      pen.setTransform(dense, 0, 0, dense, 0, 0);
      draw();
    }

    var keys = {
      ArrowLeft: function () { orbit(5, 0); }, ArrowRight: function () { orbit(-5, 0); },
      ArrowUp: function () { orbit(0, 5); }, ArrowDown: function () { orbit(0, -5); },
      "+": function () { nearer(1.15); }, "=": function () { nearer(1.15); }, "-": function () { nearer(1 / 1.15); },
      " ": function () { run(!playing); }, Home: reset,
      ",": function () { run(false); go(Math.ceil(frame) - 1); }, ".": function () { run(false); go(Math.floor(frame) + 1); }
    };
    canvas.addEventListener("keydown", function (event) {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) { return; }
      event.preventDefault();
      keys[event.key]();
    });

    var held = null;
    canvas.addEventListener("pointerdown", function (event) {
      held = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", function (event) {
      if (!held) { return; }
      orbit(-0.5 * (event.clientX - held[0]), 0.4 * (event.clientY - held[1]));
      held = [event.clientX, event.clientY];
    });
    ["pointerup", "pointercancel"].forEach(function (name) {
      canvas.addEventListener(name, function () { held = null; });
    });
    // Scrolling past the view does not zoom it; zooming needs a click before, or the control key.
    canvas.addEventListener("wheel", function (event) {
      if (document.activeElement !== canvas && !event.ctrlKey) { return; }
      event.preventDefault();
      nearer(Math.exp(-0.0015 * event.deltaY));
    }, { passive: false });

    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("click", function (event) {
      var button = event.target.closest("button");
      if (!button) { return; }
      if (button === play) { run(!playing); }
      if (button.dataset.view) { look(button.dataset.view); }
      if (button.dataset.zoom) { nearer(Number(button.dataset.zoom)); }
      if (button.name === "reset") { reset(); }
    });
    slider.addEventListener("input", function () { run(false); go(Number(slider.value)); });
    list(form.querySelectorAll("input[type=checkbox]")).forEach(function (box) { box.addEventListener("input", draw); });
    slider.max = frames - 1;
    if (still) { form.elements.speed.value = "0.25"; }
    form.hidden = false;
    reset();
    resize();
    new ResizeObserver(resize).observe(canvas);
  }

  list(document.querySelectorAll(".scene")).forEach(viewer);
})();
