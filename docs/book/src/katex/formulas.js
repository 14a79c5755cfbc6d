// Sets the formulas of a page with KaTeX: blocks of code in the language `math`, and code within
// lines that stands between two dollars, which is how forges read formulas too.
"use strict";

(() => {
  const draw = (tex, place, displayMode) => katex.render(tex, place, { displayMode, throwOnError: false });

  for (const code of document.querySelectorAll("pre > code.language-math")) {
    const place = document.createElement("div");
    draw(code.textContent, place, true);
    code.parentElement.replaceWith(place);
  }

  for (const code of document.querySelectorAll(":not(pre) > code")) {
    const [before, after] = [code.previousSibling, code.nextSibling];
    if (!before?.data?.endsWith("$") || !after?.data?.startsWith("$")) continue;
    before.data = before.data.slice(0, -1);
    after.data = after.data.slice(1);
    const place = document.createElement("span");
    draw(code.textContent, place, false);
    code.replaceWith(place);
  }
})();
