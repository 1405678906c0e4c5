import { Text, UnstyledButton } from "@mantine/core";
import { createElement, useState } from "react";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { copyToClipboard } from "../ui/clipboard.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { interfaceIcons, toSvg, toothIcons } from "./copyable-icons.ts";
import type { CatalogueIcon } from "./copyable-icons.ts";
import classes from "./icon-list.module.css";

/** The icons of teeth and of the interface; a click copies one. */
export function Page() {
  const t = useTexts("shell");
  const [typed, setTyped] = useState("");
  const getTitle = ({ name, tooth }: CatalogueIcon) =>
    tooth ? t("shell.icons.tooth", { number: String(tooth) }) : name;
  const isFound = (icon: CatalogueIcon) =>
    `${icon.name} ${getTitle(icon)}`.toLowerCase().includes(typed.trim().toLowerCase());
  const groups = [
    { title: t("shell.icons.teeth"), icons: toothIcons.filter(isFound) },
    { title: t("shell.icons.interface"), icons: interfaceIcons.filter(isFound) },
  ].filter(({ icons }) => icons.length > 0);
  return (
    <PageBody title={t("shell.screen.iconList")} description={t("shell.icons.says")}>
      <SearchBox value={typed} onSearch={setTyped} label={t("shell.icons.search")} />
      {groups.length === 0 && <EmptyState title={t("shell.icons.nothing")} />}
      {groups.map(({ title, icons }) => (
        <Section key={title} title={title}>
          <ul className={classes.list}>
            {icons.map((icon) => (
              <li key={icon.name}>
                <IconButton icon={icon} title={getTitle(icon)} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </PageBody>
  );
}

function IconButton({ icon, title }: { icon: CatalogueIcon; title: string }) {
  const t = useTexts("shell");
  const copyIcon = async () => {
    const isCopied = await copyToClipboard(toSvg(icon));
    toast(isCopied ? "success" : "error", t(isCopied ? "common.copied" : "common.copyFailed"));
  };
  return (
    <UnstyledButton
      className={classes.icon}
      onClick={() => void copyIcon()}
      aria-label={t("shell.icons.copy", { name: title })}
    >
      <svg
        viewBox="0 0 24 24"
        width={28}
        height={28}
        fill="none"
        stroke="currentColor"
        strokeWidth={icon.tooth ? 1.4 : 1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        {icon.parts.map(([tag, attributes], at) => createElement(tag, { key: at, ...toReactProps(attributes) }))}
      </svg>
      <Text size="xs" c="dimmed" component="span" className={classes.name}>
        {title}
      </Text>
    </UnstyledButton>
  );
}

/** React names "vector-effect" vectorEffect. */
const toReactProps = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
