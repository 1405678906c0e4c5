import { Group, Kbd, Modal, Stack, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import { pageShortcuts } from "../../ui/page-shortcuts.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { NameUnder } from "../../i18n/texts.ts";
import classes from "./keyboard-help.module.css";

type KeyName = NameUnder<"shell.keys">;
/** The shortcuts of an action: each is a set of keys that are held together; alternatives are listed side by side. */
type Shortcuts = readonly (readonly string[])[];
const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
const groups: { title: KeyName; keys: readonly [says: KeyName, ways: Shortcuts][] }[] = [
  {
    title: "everywhere",
    keys: [
      ["search", [[mod, "K"]]],
      ["help", [["?"]]],
      ["skip", [["Tab"]]],
      ["escape", [["Esc"]]],
    ],
  },
  {
    title: "tags",
    keys: [
      ["openTag", [["Enter"]]],
      ["closeTag", [["Delete"]]],
      ["tagMenu", [["Shift", "F10"]]],
    ],
  },
  {
    title: "viewer",
    keys: [
      ["viewerTools", [["1"], ["W"], ["R"]]],
      [
        "viewerUndo",
        [
          [mod, "Z"],
          [mod, "Shift", "Z"],
        ],
      ],
      ["viewerSlices", [["↑"], ["↓"]]],
    ],
  },
];

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts("shell");
  const page = useStore(pageShortcuts);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("shell.keys.title")}
      size={page.length > 0 ? "lg" : "md"}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="lg">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <Title order={2} size="h4" mb={6}>
              {t(`shell.keys.${title}`)}
            </Title>
            <dl className={classes.list}>
              {keys.map(([says, ways]) => (
                <Fragment key={says}>
                  <Text component="dt" size="sm">
                    {t(`shell.keys.${says}`)}
                  </Text>
                  <dd className={classes.keys}>
                    <ShortcutKeys ways={ways} />
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
        {page.length > 0 && (
          <section>
            <Title order={2} size="h4" mb={6}>
              {t("shell.keys.page")}
            </Title>
            <dl className={`${classes.list} ${classes.page}`}>
              {page.map(({ label, keys }) => (
                <div key={`${keys} ${label}`} className={classes.row}>
                  <Text component="dt" size="sm">
                    {label}
                  </Text>
                  <dd className={classes.keys}>
                    <ShortcutKeys ways={[splitKeys(keys)]} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </Stack>
    </Modal>
  );
}

/** The keys that are held together: "Ctrl+Z" are two, "+" is one. */
const splitKeys = (keys: string): string[] =>
  (keys.match(/[^+]+|^\+$/g) ?? []).map((key) => (key === "Ctrl" ? mod : key));

function ShortcutKeys({ ways }: { ways: Shortcuts }) {
  const t = useTexts("shell");
  return (
    <Group gap={6} dir="ltr" wrap="nowrap">
      {ways.map((keys, at) => (
        <Fragment key={keys.join("+")}>
          {at > 0 && (
            <Text size="xs" c="dimmed">
              {t("shell.keys.or")}
            </Text>
          )}
          <Group gap={3} wrap="nowrap">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
        </Fragment>
      ))}
    </Group>
  );
}
