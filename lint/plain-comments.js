/**
 * Refuses comments that begin with a bare relative word ("What …", "Of …", "Whose …"). Such a fragment has no subject, and
 * a newcomer must know the code to read it. A comment is a full sentence, or a noun phrase that names its subject.
 */
export const plainComments = {
  meta: { type: "suggestion", schema: [] },
  create(context) {
    return {
      Program() {
        let previous = null;
        for (const comment of context.sourceCode.getAllComments()) {
          const continues = previous !== null && isNextLine(previous, comment);
          previous = comment;
          const word = relativeWord.exec(comment.value)?.[1];
          if (word !== undefined && !continues)
            context.report({
              loc: comment.loc,
              message: `The comment begins with "${word}" and has no subject; see lint/plain-comments.js.`,
            });
        }
      },
    };
  },
};

export const relativeWord =
  /^[\s*]*(what|whatever|who|whose|whoever|whom|which|where|wherever|when|whenever|whether|how|why|of|that)\b/i;

/** A line comment directly below another one continues its sentence. */
const isNextLine = (previous, comment) =>
  previous.type === "Line" && comment.type === "Line" && comment.loc.start.line === previous.loc.end.line + 1;
