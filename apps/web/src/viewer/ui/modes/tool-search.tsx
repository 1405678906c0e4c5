import { TextInput } from "@mantine/core";
import { IconSearch, type Icon } from "@tabler/icons-react";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import toolbar from "../toolbar/toolbar.module.css";
import styles from "./tool-search.module.css";
import type { ModeTools, ViewerMode, ViewerTool } from "./viewer-tool.ts";

interface Props {
  modes: readonly ModeTools[];
  mode: ViewerMode;
  common: readonly ViewerTool[];
  /** Shows the form of this tool. */
  onOpenPanel: (id: string) => void;
  onDone: () => void;
}

interface Row {
  id: string;
  label: string;
  icon: Icon;
  keys?: string | undefined;
  about?: string | undefined;
  isOn: boolean;
  /** True if it opens a form in the place of the list. */
  isPanel: boolean;
  run: () => void;
}

/** All tools of the viewer, those of the current mode first; the field finds one by its name, use or shortcut. */
export function ToolSearch({ modes, mode, common, onOpenPanel, onDone }: Props) {
  const t = useTexts("viewer");
  const listId = useId();
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const sections = listSections(modes, mode, common)
    .map(({ name, tools }) => ({
      name,
      rows: tools.flatMap((tool) => buildRows(tool, onOpenPanel)).filter(matches(text)),
    }))
    .filter(({ rows }) => rows.length > 0);
  const run = (row: Row) => {
    row.run();
    if (!row.isPanel) onDone();
  };
  const choice = useRowChoice(
    sections.flatMap(({ rows }) => rows),
    text,
    run,
    (at) => list.current?.querySelectorAll("[role=option]")[at]?.scrollIntoView({ block: "nearest" }),
  );
  return (
    <div className={styles.search}>
      <TextInput
        data-autofocus
        m={8}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={t("viewer.more.search")}
        aria-label={t("viewer.more.search")}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={choice.active && `${listId}-${choice.active.id}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choice.reset();
        }}
        onKeyDown={choice.press}
      />
      <div ref={list} id={listId} role="listbox" aria-label={t("viewer.more.title")} className={styles.list}>
        {sections.map(({ name, rows }) => (
          <ToolSection
            key={name}
            heading={t(name === "common" ? "viewer.more.always" : `viewer.mode.${name}`)}
            {...{ listId, rows }}
            active={choice.active}
            onRun={run}
          />
        ))}
        {sections.length === 0 && <p className={styles.none}>{t("viewer.more.none")}</p>}
      </div>
    </div>
  );
}

/** The row that Enter runs: the one to which arrows have moved, else the one that the text most likely means. */
function useRowChoice(rows: readonly Row[], text: string, run: (row: Row) => void, onMove: (at: number) => void) {
  const [moved, setMoved] = useState<number | null>(null);
  // A row whose name begins with the text is the most likely.
  const likely = rows.findIndex(({ label }) => text !== "" && label.toLowerCase().startsWith(text.toLowerCase()));
  const at = Math.min(moved ?? Math.max(0, likely), rows.length - 1);
  const active = rows[at];
  const move = (step: number) => {
    const next = (at + step + rows.length) % Math.max(1, rows.length);
    setMoved(next);
    onMove(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && active) run(active);
    else return;
    event.preventDefault();
  };
  return { active, press, reset: () => setMoved(null) };
}

interface SectionProps {
  heading: string;
  listId: string;
  rows: readonly Row[];
  active: Row | undefined;
  onRun: (row: Row) => void;
}

const ToolSection = ({ heading, listId, rows, active, onRun }: SectionProps) => (
  <div role="group" aria-label={heading}>
    <div className={styles.heading} aria-hidden>
      {heading}
    </div>
    {rows.map((row) => (
      <ToolOption
        key={row.id}
        id={`${listId}-${row.id}`}
        row={row}
        isActive={row.id === active?.id}
        onRun={() => onRun(row)}
      />
    ))}
  </div>
);

interface OptionProps {
  id: string;
  row: Row;
  isActive: boolean;
  onRun: () => void;
}

const ToolOption = ({ id, row: { icon: Sign, label, about, keys, isOn }, isActive, onRun }: OptionProps) => (
  // The field keeps the focus and handles the keys, as in every combobox.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    data-on={isOn || undefined}
    className={styles.option}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onRun}
  >
    <Sign size={18} stroke={1.6} aria-hidden />
    <span className={styles.words}>
      <span>{label}</span>
      {about && <span className={styles.about}>{about}</span>}
    </span>
    {keys && <kbd className={toolbar.key}>{keys}</kbd>}
  </div>
);

/** The current mode first; a tool of several modes only once. */
function listSections(modes: readonly ModeTools[], mode: ViewerMode, common: readonly ViewerTool[]) {
  const seen = new Set<string>();
  const takeNew = (tools: readonly ViewerTool[]) => tools.filter(({ id }) => !seen.has(id) && seen.add(id));
  const current = modes.filter(({ name }) => name === mode);
  const others = modes.filter(({ name }) => name !== mode);
  return [
    ...[...current, ...others].map(({ name, bar, more = [] }) => ({ name, tools: takeNew([...bar, ...more]) })),
    { name: "common" as const, tools: takeNew(common) },
  ];
}

function buildRows(tool: ViewerTool, onOpenPanel: (id: string) => void): Row[] {
  const { id, label, icon, keys, about, isOn = false } = tool;
  if ("items" in tool)
    return tool.items.map((item) => ({
      id: `${id}-${item.key}`,
      label: `${label}: ${item.label}`,
      icon,
      keys: item.keys,
      isOn: item.isOn ?? false,
      isPanel: false,
      run: item.onPress,
    }));
  if ("panel" in tool) return [{ id, label, icon, keys, about, isOn, isPanel: true, run: () => onOpenPanel(id) }];
  return tool.disabled ? [] : [{ id, label, icon, keys, about, isOn, isPanel: false, run: tool.onPress }];
}

const matches =
  (text: string) =>
  ({ label, about = "", keys }: Row): boolean =>
    keys?.toLowerCase() === text.trim().toLowerCase() ||
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => `${label} ${about}`.toLowerCase().includes(word));
