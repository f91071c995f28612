// Names in pictures. `label` shortens one to at most so many columns, as flame_label.c does it, `cut` any text at its
// end; `compile` makes a regular expression of what is searched for, or throws a SyntaxError.
const { columnsOf, cut, label, compile } = (() => {
    "use strict";
    const LEAST_COLUMNS = 3;

    // Where the last `parts` parts of a path begin; "::" within brackets separates nothing, and a part
    // such as "{{closure}}" says too little to count.
    function tailStart(name, parts) {
        let depth = 0;
        for (let i = name.length - 1; i >= 0; i--) {
            const letter = name[i];
            const isArrow = letter === ">" && name[i - 1] === "-";
            if (!isArrow && ">)]}".includes(letter)) {
                depth++;
            } else if ("<([{".includes(letter) && depth > 0) {
                depth--;
            } else if (letter === ":" && depth === 0 && name[i - 1] === ":" && i + 1 < name.length) {
                if (name[i + 1] !== "{" && --parts === 0) return i + 1;
                i--;
            }
        }
        return 0;
    }

    // A name of C++ without the arguments that it ends in: which function of a class it is tells more.
    function withoutArguments(name) {
        const rest = name.replace(/ const$/, "");
        if (!rest.endsWith(")")) return name;
        let depth = 0;
        let at = rest.length;
        do {
            at--;
            depth += rest[at] === ")";
            depth -= rest[at] === "(";
        } while (depth > 0 && at > 0);
        return at === 0 || rest.endsWith("operator", at) ? name : rest.slice(0, at);
    }

    // `name` with only the last word of each path that stands in brackets.
    function withoutInnerPaths(name) {
        let depth = 0;
        return name.replace(/[\w$\u0080-\uffff]+(::(?=[\w$\u0080-\uffff]))?|->|./gsu, (part, more) => {
            depth += part === "<";
            depth -= part === ">" && depth > 0;
            return more && depth > 0 ? "" : part;
        });
    }

    const columnsOf = (text) => Array.from(text).length;
    const isTooLong = (text, columns) => text.length > columns && columnsOf(text) > columns;

    function cut(text, columns) {
        if (!isTooLong(text, columns)) return text;
        return Array.from(text).slice(0, Math.max(columns - 1, 0)).join("") + "\u2026";
    }

    function label(name, columns) {
        if (columns < LEAST_COLUMNS) return "";
        let shown = name;
        if (isTooLong(shown, columns)) shown = withoutArguments(shown);
        if (isTooLong(shown, columns)) shown = shown.slice(tailStart(shown, 2));
        if (isTooLong(shown, columns)) shown = withoutInnerPaths(shown);
        if (isTooLong(shown, columns)) shown = shown.slice(tailStart(shown, 1));
        return cut(shown, columns);
    }

    // Letters of both cases match unless the expression has a capital, outside of escapes such as \S.
    function compile(pattern) {
        const flags = /[A-Z]/.test(pattern.replace(/\\./g, "")) ? "" : "i";
        try {
            return new RegExp(pattern, flags + "u");
        } catch {
            return new RegExp(pattern, flags);
        }
    }

    return { columnsOf, cut, label, compile };
})();
