import { Anchor, Code, Text, Title } from "@mantine/core";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { guidePictureSize } from "./guide-content.ts";
import type { GuideBlock, GuideContent, GuideInline } from "./guide-content.ts";
import type { GuideLanguage } from "./guide-index.ts";
import classes from "./user-guide.module.css";

/** A page of the guide. The parts come from the build; nothing is read as HTML. */
export function GuideArticle({ page, lang }: { page: GuideContent; lang: GuideLanguage }) {
  // Readers of a language that is written from the right get the guide in English.
  return (
    <article className={classes.article} lang={lang} dir="ltr">
      <Title order={1}>{page.title}</Title>
      <Blocks blocks={page.blocks} />
    </article>
  );
}

// The parts of a page never change their order.
const Blocks = ({ blocks }: { blocks: readonly GuideBlock[] }) =>
  blocks.map((block, at) => <Block key={at} {...block} />);

function Block(block: GuideBlock) {
  const t = useTexts("help");
  switch (block.kind) {
    case "heading":
      return (
        <Title order={2} size="h3" id={block.id}>
          {block.text}
        </Title>
      );
    case "paragraph":
      return (
        <p>
          <Inlines content={block.content} />
        </p>
      );
    case "note":
      return (
        <Text component="p" size="sm" c="dimmed" className={classes.note}>
          <Inlines content={block.content} />
        </Text>
      );
    case "picture":
      return block.url === "" ? null : (
        <figure className={classes.picture}>
          <a href={block.url} target="_blank" rel="noopener" aria-label={t("help.enlarge", { caption: block.caption })}>
            <img src={block.url} alt="" {...guidePictureSize} loading="lazy" />
          </a>
          <Text component="figcaption" size="xs" c="dimmed">
            {block.caption}
          </Text>
        </figure>
      );
    case "list":
      return block.ordered ? (
        <ol>
          <Items items={block.items} />
        </ol>
      ) : (
        <ul>
          <Items items={block.items} />
        </ul>
      );
  }
}

const Items = ({ items }: { items: readonly GuideBlock[][] }) =>
  items.map((blocks, at) => (
    <li key={at}>
      <Blocks blocks={blocks} />
    </li>
  ));

const Inlines = ({ content }: { content: readonly GuideInline[] }) =>
  content.map((part, at) => <Inline key={at} {...part} />);

function Inline(part: GuideInline) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "label":
      return <strong>{part.text}</strong>;
    case "code":
      return <Code>{part.text}</Code>;
    case "pageLink":
      return (
        <Anchor component={ScreenLink} screen="help" search={{ page: part.page }}>
          {part.text}
        </Anchor>
      );
  }
}
