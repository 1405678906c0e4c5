import { ActionIcon, Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { labProgramRules } from "@arcada/contract/order/lab-program.calls";
import type { LabWord, WordList } from "@arcada/contract/order/lab-program.calls";
import { itemKinds, materials, shades } from "@arcada/contract/order/prescription.choices";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import classes from "./lab-program.module.css";

interface WordTableProps {
  list: WordList;
  words: readonly LabWord[];
  /** True after an attempt to save: empty fields are marked then. */
  isTried: boolean;
  mayChange: boolean;
  onChange: (words: LabWord[]) => void;
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
          onClick={() => onChange([...words, createWord(list)])}
        >
          {t(addLabels[list])}
        </Button>
      )}
    </Stack>
  );
}

const createWord = (list: WordList): LabWord =>
  list === "materials" ? { list, word: "", code: null, means: null } : { list, word: "", means: null };

interface WordLineProps {
  word: LabWord;
  isTried: boolean;
  mayChange: boolean;
  onChange: (word: LabWord) => void;
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
          value={word.code ?? ""}
          onChange={(event) => onChange({ ...word, code: event.currentTarget.value || null })}
        />
      )}
      <Select
        label={t("labCase.settings.means")}
        data={[{ value: nothing, label: t("labCase.settings.nothing") }, ...listMeanings(t, word.list)]}
        value={word.means ?? nothing}
        searchable={word.list === "shades"}
        allowDeselect={false}
        disabled={!mayChange}
        onChange={(value) => onChange({ ...word, means: value === nothing ? null : value } as LabWord)}
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
