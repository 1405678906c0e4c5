import { Alert, Select, Text } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import { useTexts } from "../../i18n/texts.ts";
import type { FileRole } from "../form/order-draft.ts";
import classes from "./case-import.module.css";

const selectableRoles = ["upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
type Roles = ReadonlyMap<string, FileRole | null>;

interface CaseFilesProps {
  found: FoundCase;
  roles: Roles;
  onChange: (roles: Map<string, FileRole | null>) => void;
}

/** The files of a case with what they show; a mesh that does not say its jaw waits for a person. */
export function CaseFiles({ found, roles, onChange }: CaseFilesProps) {
  const t = useTexts("labCase", "order");
  const missing = found.missing.filter((role) => ![...roles.values()].includes(role));
  return (
    <>
      {missing.map((role) => (
        <Alert key={role} color="orange" role="alert">
          {t("labCase.files.missing", { role: t(`order.role.${role}`) })}
        </Alert>
      ))}
      <ul className={classes.lines}>
        {found.files.map(({ path, isGuessed }) => (
          <li key={path} className={classes.file}>
            <IconFile size={18} stroke={1.5} aria-hidden />
            <span className={classes.name}>
              <Text component="span" size="sm" display="block" className={classes.fileName!} title={path}>
                {nameOf(path)}
              </Text>
              {isGuessed && (
                <Text component="span" size="xs" c="dimmed" display="block">
                  {t("labCase.files.guessed")}
                </Text>
              )}
            </span>
            <Select
              size="xs"
              className={classes.role!}
              aria-label={`${t("order.form.role")}: ${nameOf(path)}`}
              placeholder={t("labCase.files.choose")}
              data={selectableRoles.map((value) => ({ value, label: t(`order.role.${value}`) }))}
              value={roles.get(path) ?? null}
              error={roles.get(path) === null}
              allowDeselect={false}
              onChange={(role) => role && onChange(new Map(roles).set(path, role))}
            />
          </li>
        ))}
      </ul>
      {found.leftOut.length > 0 && (
        <Text size="xs" c="dimmed" className={classes.notes!}>
          {t("labCase.files.leftOut", { count: found.leftOut.length, names: listNames(found.leftOut) })}
        </Text>
      )}
    </>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const maxNames = 6;
const listNames = (paths: readonly string[]): string =>
  [...paths.slice(0, maxNames).map(nameOf), ...(paths.length > maxNames ? ["…"] : [])].join(", ");
