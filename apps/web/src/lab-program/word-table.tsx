import { ActionIcon, Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { labProgramRules } from "@arcada/contract/order/lab-program.calls";
import type { LabWord, WordList } from "@arcada/contract/order/lab-program.calls";
import { itemKinds, materials, shades } from "@arcada/contract/order/prescription.choices";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import classes from "./lab-program.module.css";

/** A word while it is edited. A new one has no meaning, and is not left out of the order either, until one is chosen. */
export type EditedWord = LabWord | UndecidedWord;
type UndecidedWord = Pick<LabWord, "list" | "word"> & { code?: string | null; means?: undefined };

/** Returns the words if nothing is missing in them. */
export function completeWords(words: readonly EditedWord[]): LabWord[] | null {
  const complete = words.filter((one): one is LabWord => one.means !== undefined && one.word.trim() !== "");
  return complete.length === words.length ? complete : null;
}

interface WordTableProps {
  list: WordList;
  words: readonly EditedWord[];
  /** True after an attempt to save: empty fields are marked then. */
  isTried: boolean;
  mayChange: boolean;
  onChange: (words: EditedWord[]) => void;
}

const addLabels = {
  kinds: "labCase.settings.addKinds",
  materials: "labCase.settings.addMaterials",
  shades: "labCase.settings.addShades",
} as const;

/** The words of one list: a line for each with the word of the program and its meaning in an order. */
export function WordTable({ list, words, isTried, mayChange, onChange }: WordTableProps) {
  const t = useTexts("labCase", "order");
  const own = words.flatMap((word, at) => (word.list === list ? [{ word, at }] : []));
  return (
    <Stack gap="sm" align="start">
      {own.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("labCase.settings.none")}
        </Text>
      )}
      {own.length > 0 && (
        <ul className={classes.words}>
          {own.map(({ word, at }) => (
            <WordLine
              key={at}
              word={word}
              isTried={isTried}
              mayChange={mayChange}
              onChange={(changed) => onChange(words.with(at, changed))}
              onRemove={() => onChange(words.toSpliced(at, 1))}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={words.length >= labProgramRules.maxWords}
          onClick={() => onChange([...words, { list, word: "" }])}
        >
          {t(addLabels[list])}
        </Button>
      )}
    </Stack>
  );
}

interface WordLineProps {
  word: EditedWord;
  isTried: boolean;
  mayChange: boolean;
  onChange: (word: EditedWord) => void;
  onRemove: () => void;
}
function WordLine({ word, isTried, mayChange, onChange, onRemove }: WordLineProps) {
  const t = useTexts("labCase", "order");
  const isMissing = isTried && word.word.trim() === "";
  return (
    <li className={classes.word} data-list={word.list}>
      <TextInput
        label={t("labCase.settings.word")}
        dir="auto"
        maxLength={labProgramRules.maxWordLength}
        disabled={!mayChange}
        value={word.word}
        error={isMissing && t("labCase.settings.wordMissing")}
        onChange={(event) => onChange({ ...word, word: event.currentTarget.value })}
      />
      {word.list === "materials" && (
        <TextInput
          label={t("labCase.settings.code")}
          dir="ltr"
          maxLength={labProgramRules.maxCodeLength}
          disabled={!mayChange}
          value={("code" in word && word.code) || ""}
          onChange={(event) => onChange({ ...word, code: event.currentTarget.value || null })}
        />
      )}
      <Select
        label={t("labCase.settings.means")}
        placeholder={t("labCase.files.choose")}
        data={[...listMeanings(t, word.list), { value: nothing, label: t("labCase.settings.nothing") }]}
        value={word.means === undefined ? null : (word.means ?? nothing)}
        error={isTried && word.means === undefined && t("labCase.settings.meaningMissing")}
        searchable={word.list === "shades"}
        allowDeselect={false}
        disabled={!mayChange}
        onChange={(value) => onChange({ ...word, means: value === nothing ? null : value } as EditedWord)}
      />
      {mayChange && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.remove!}
          aria-label={t("labCase.settings.remove", { word: word.word })}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

const nothing = "-";

function listMeanings(t: Translate, list: WordList): { value: string; label: string }[] {
  if (list === "kinds") return itemKinds.map((value) => ({ value, label: t(`order.kind.${value}`) }));
  if (list === "materials") return materials.map((value) => ({ value, label: t(`order.material.${value}`) }));
  return shades.map((value) => ({ value, label: value }));
}
