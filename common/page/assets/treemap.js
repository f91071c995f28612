"use strict";
(() => {
    // Each box as [depth, weight, colour class, name, detail]; one inside another stands behind it.
    const data = JSON.parse(document.getElementById("data").textContent);
    const unit = data.unit;
    const whole = { name: data.whole[0], weight: data.whole[1] }; // what shares are of
    const map = document.getElementById("map");
    const path = document.getElementById("path");
    const tip = document.getElementById("tip");
    const search = document.getElementById("search");
    const matched = document.getElementById("matched");
    const leftOut = document.getElementById("left-out");
    const HEAD = 16;       // of a box around others, for its name
    const NAME_EDGES = 6;  // of a box, beside its name
    const LEAST_SIDE = 3;  // boxes thinner than this are not drawn
    const MOST_BOXES = 6000;

    const nodes = data.boxes.map(([depth, weight, look, name, detail], index) => ({
        depth, weight, look, name, detail: detail || "", index, parent: null, inner: [], end: index + 1,
        isMatch: false, holdsMatch: false, box: null,
    }));
    const open = [];
    for (const node of nodes) {
        open.length = node.depth;
        node.parent = open[node.depth - 1] || null;
        if (node.parent) node.parent.inner.push(node);
        open.push(node);
    }
    // `end` is the index past the last box inside.
    for (const node of nodes.slice().reverse())
        if (node.parent) node.parent.end = Math.max(node.parent.end, node.end);
    for (const node of nodes) node.inner.sort((a, b) => b.weight - a.weight || a.index - b.index);
    let here = nodes[0];
    let expression = null;
    let letterWidth = 6.7; // of the font, which has the same width for every letter
    const drawn = { width: 0, height: 0 }; // of the map when it was drawn

    // Bytes as units.c writes them.
    function figure(weight) {
        if (unit !== "byte") return weight.toLocaleString("en") + " " + unit + (weight === 1 ? "" : "s");
        const names = ["B", "KiB", "MiB", "GiB", "TiB"];
        let at = 0;
        let value = weight;
        while (value >= 1024 && at + 1 < names.length) { value /= 1024; at++; }
        return (at ? value.toFixed(1) : value) + names[at];
    }

    function exact(weight) {
        return weight.toLocaleString("en") + " " + unit + (weight === 1 ? "" : "s");
    }

    function share(part, whole) {
        return (whole ? 100 * part / whole : 0).toFixed(2) + "%";
    }

    function shareOfAll(node) {
        return share(node.weight, whole.weight) + " of " + whole.name;
    }

    // treemap_layout.c does the same for the picture without scripts.
    function layOut(room, whole, weights) {
        const boxes = [];
        const unitArea = whole > 0 ? room.width * room.height / whole : 0;
        const ratio = (area, largest, smallest, side) => {
            const thickness = area / side;
            return Math.max(largest / (thickness * thickness), thickness * thickness / smallest);
        };
        while (boxes.length < weights.length) {
            const side = Math.min(room.width, room.height);
            const first = boxes.length;
            if (!(side > 0) || !(unitArea > 0)) {
                boxes.push({ x: room.x, y: room.y, width: 0, height: 0 });
                continue;
            }
            const largest = weights[first] * unitArea;
            let area = largest;
            let worst = ratio(area, largest, largest, side);
            let end = first + 1;
            for (; end < weights.length; end++) {
                const next = weights[end] * unitArea;
                const worse = ratio(area + next, largest, next, side);
                if (worse > worst) break;
                worst = worse;
                area += next;
            }
            const isColumn = room.width >= room.height;
            const thickness = area / side;
            let at = 0;
            for (let i = first; i < end; i++) {
                const extent = weights[i] * unitArea / thickness;
                boxes.push(isColumn ? { x: room.x, y: room.y + at, width: thickness, height: extent }
                    : { x: room.x + at, y: room.y, width: extent, height: thickness });
                at += extent;
            }
            room = isColumn
                ? { x: room.x + thickness, y: room.y, width: room.width - thickness, height: room.height }
                : { x: room.x, y: room.y + thickness, width: room.width, height: room.height - thickness };
        }
        return boxes;
    }

    function measureLetters() {
        const probe = document.createElement("span");
        probe.className = "name";
        probe.style.width = "max-content";
        probe.textContent = "m".repeat(100);
        map.append(probe);
        letterWidth = parseFloat(getComputedStyle(probe).width) / 100 || letterWidth;
        probe.remove();
    }

    // Adds `node` and what is inside it to `places`, whatever is large enough to see.
    function place(node, box, places) {
        if (box.width < LEAST_SIDE || box.height < LEAST_SIDE) return;
        const shown = box.height > 14 ? label(node.name, Math.floor((box.width - NAME_EDGES) / letterWidth)) : "";
        const head = shown ? HEAD : 0;
        const room = { x: 1, y: head, width: box.width - 4, height: box.height - head - 3 };
        const inner = node.inner.filter(child => child.weight > 0);
        const boxes = layOut(room, node.weight, inner.map(child => child.weight));
        places.push({ node, box, shown });
        inner.forEach((child, i) => place(child, boxes[i], places));
    }

    function draw(node, box, shown) {
        const element = document.createElement("div");
        const isGroup = node.inner.length > 0;
        element.className = node.look + (isGroup ? " group" : "");
        element.style.left = box.x + "px";
        element.style.top = box.y + "px";
        element.style.width = box.width + "px";
        element.style.height = box.height + "px";
        element.dataset.index = node.index;
        if (shown) {
            const name = document.createElement("span");
            name.className = "name";
            name.textContent = shown;
            element.append(name);
        }
        element.tabIndex = isGroup ? 0 : -1; // arrows lead to the others
        element.setAttribute("role", isGroup ? "button" : "img");
        element.setAttribute("aria-label", node.name + ", " + figure(node.weight) + (isGroup ? ", zoom in" : ""));
        node.box = element;
        return element;
    }

    // The heaviest boxes. One around others weighs no less than they do, and the sort is stable: it comes before them.
    function drawScene() {
        const scene = document.createDocumentFragment();
        const places = [];
        if (here.weight > 0) place(here, { x: 0, y: 0, width: map.clientWidth, height: map.clientHeight }, places);
        places.sort((a, b) => b.node.weight - a.node.weight);
        places.length = Math.min(places.length, MOST_BOXES);
        for (const { node, box, shown } of places)
            (node === here ? scene : node.parent.box).append(draw(node, box, shown));
        map.replaceChildren(scene);
        return places.length;
    }

    function count(node) {
        return node.inner.reduce((all, child) => all + count(child), node.weight > 0 ? 1 : 0);
    }

    function showLeftOut(drawn) {
        const all = count(here);
        leftOut.textContent = drawn === all ? "" : "the smallest " + (all - drawn).toLocaleString("en") + " of "
            + all.toLocaleString("en") + " boxes are not drawn";
    }

    function showPath() {
        const steps = [];
        for (let node = here; node; node = node.parent) steps.unshift(node);
        path.replaceChildren();
        for (const node of steps) {
            const step = document.createElement(node === here ? "span" : "button");
            step.textContent = node.name;
            if (node === here) step.className = "here";
            else step.addEventListener("click", () => zoom(node));
            path.append(step);
            if (node !== here) path.append("›");
        }
        const size = document.createElement("span");
        size.className = "size";
        size.textContent = figure(here.weight) + (here.weight < whole.weight ? ", " + shareOfAll(here) : "");
        path.append(size);
    }

    function show() {
        for (const node of nodes) node.box = null;
        showPath();
        showMatched();
        drawn.width = map.clientWidth;
        drawn.height = map.clientHeight;
        showLeftOut(drawScene());
        mark();
    }

    function zoom(node) {
        const hadFocus = map.contains(document.activeElement);
        hideTip();
        here = node.inner.length > 0 || !node.parent ? node : node.parent;
        show();
        remember();
        if (hadFocus && here.box) here.box.focus();
    }

    // The address of what is shown: by names, which the page of the next build has, too.
    function remember() {
        const parts = [];
        for (let node = here; node.parent; node = node.parent) parts.unshift("in=" + encodeURIComponent(node.name));
        if (search.value) parts.push("search=" + encodeURIComponent(search.value));
        try {
            history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.href.split("#")[0]);
        } catch {
            // A page inside another one may not be allowed to; it works all the same.
        }
    }

    function recall() {
        const asked = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
        here = nodes[0];
        for (const name of asked.getAll("in")) {
            const inside = here.inner.find(node => node.name === name && node.inner.length > 0);
            if (!inside) break;
            here = inside;
        }
        search.value = asked.get("search") || "";
        find();
    }

    function mark() {
        map.classList.toggle("searching", expression !== null);
        for (const node of nodes) {
            if (!node.box) continue;
            node.box.classList.toggle("match", expression !== null && node.isMatch);
            node.box.classList.toggle("holds", expression !== null && (node.holdsMatch || node.isInMatch));
        }
    }

    function isWithin(inner, outer) {
        return inner.index >= outer.index && inner.index < outer.end;
    }

    // What matches of all that is shown counts once: nothing inside a match is added again.
    function showMatched() {
        let total = 0;
        for (const node of nodes)
            if (node.isMatch && !node.isInMatch && (isWithin(node, here) || isWithin(here, node)))
                total += Math.min(node.weight, here.weight);
        const shown = here === nodes[0] ? "" : " of what is shown";
        matched.textContent = search.classList.contains("invalid") ? "not a regular expression"
            : expression === null ? "" : total === 0 ? "nothing" + (shown && " here") + " matches"
            : figure(total) + ", " + share(total, here.weight) + shown + " matches";
    }

    function find() {
        search.classList.remove("invalid");
        try {
            expression = search.value ? compile(search.value) : null;
        } catch {
            expression = null;
            search.classList.add("invalid");
        }
        for (const node of nodes) {
            node.holdsMatch = false;
            node.isInMatch = node.parent !== null && (node.parent.isMatch || node.parent.isInMatch);
            node.isMatch = expression !== null && node.parent !== null && expression.test(node.detail || node.name);
            if (!node.isMatch) continue;
            for (let around = node.parent; around && !around.holdsMatch; around = around.parent)
                around.holdsMatch = true;
        }
        mark();
        showMatched();
    }

    let pointed = null;

    function hideTip() {
        if (pointed) pointed.classList.remove("pointed");
        pointed = null;
        tip.hidden = true;
    }

    function showTip(element, x, y) {
        const node = nodes[element.dataset.index];
        if (pointed !== element) {
            hideTip();
            pointed = element;
            element.classList.add("pointed");
            const name = document.createElement("b");
            const lines = [exact(node.weight) + (unit === "byte" && node.weight >= 1024 ? " (" + figure(node.weight) + ")" : "")
                + ", " + shareOfAll(node)];
            name.textContent = node.detail || node.name;
            for (let around = node.parent; around && around.weight < whole.weight; around = around.parent)
                lines.push(share(node.weight, around.weight) + " of " + around.name);
            tip.replaceChildren(name, ...lines.map(line => {
                const span = document.createElement("span");
                span.textContent = line;
                return span;
            }));
            tip.hidden = false;
        }
        const right = x + 14 + tip.offsetWidth > innerWidth;
        const below = y + 14 + tip.offsetHeight > innerHeight;
        tip.style.left = Math.max(4, right ? x - 10 - tip.offsetWidth : x + 14) + "px";
        tip.style.top = Math.max(4, below ? y - 10 - tip.offsetHeight : y + 14) + "px";
    }

    const boxOf = event => event.target.closest ? event.target.closest("#map div") : null;

    map.addEventListener("mousemove", event => {
        const element = boxOf(event);
        if (element) showTip(element, event.clientX, event.clientY);
        else hideTip();
    });
    map.addEventListener("mouseleave", hideTip);
    map.addEventListener("click", event => {
        const element = boxOf(event);
        if (!element) return;
        let node = nodes[element.dataset.index];
        if (node === here) return;
        // One level at a time, towards what was clicked.
        while (node.parent !== here) node = node.parent;
        zoom(node);
    });

    // Around the box, inside it, or the next smaller or larger one beside it.
    function neighbour(node, key) {
        const beside = node === here ? [node] : node.parent.inner;
        const drawn = (key === "ArrowDown" ? node.inner : beside).filter(other => other.box);
        switch (key) {
        case "ArrowDown": return drawn[0];
        case "ArrowUp": return node === here ? null : node.parent;
        case "ArrowRight": return drawn[drawn.indexOf(node) + 1];
        case "ArrowLeft": return drawn[drawn.indexOf(node) - 1];
        default: return null;
        }
    }

    map.addEventListener("keydown", event => {
        const element = boxOf(event);
        if (!element) return;
        const node = nodes[element.dataset.index];
        const next = neighbour(node, event.key);
        if (next) next.box.focus();
        else if (event.key === "Enter" || event.key === " ") zoom(node);
        else return;
        event.preventDefault();
    });
    map.addEventListener("focusin", event => {
        const element = boxOf(event);
        if (!element || !element.matches(":focus-visible")) return;
        const edges = element.getBoundingClientRect();
        showTip(element, edges.left, edges.top + HEAD);
    });
    map.addEventListener("focusout", hideTip);
    document.addEventListener("keydown", event => {
        if (event.key === "/" && document.activeElement !== search) {
            event.preventDefault();
            search.focus();
        } else if (event.key === "Escape") {
            if (search.value) { search.value = ""; find(); remember(); } else if (here.parent) zoom(here.parent);
        } else if (event.key === "Backspace" && document.activeElement !== search && here.parent) {
            zoom(here.parent);
        }
    });
    search.addEventListener("input", () => { find(); remember(); });
    window.addEventListener("hashchange", () => { recall(); show(); });
    let wait = 0;
    if (nodes.length > 0) {
        measureLetters();
        recall();
        show();
        // Texts around it that wrap take room from the map, too.
        new ResizeObserver(() => {
            clearTimeout(wait);
            if (map.clientWidth !== drawn.width || map.clientHeight !== drawn.height) wait = setTimeout(show, 60);
        }).observe(map);
    }
})();
