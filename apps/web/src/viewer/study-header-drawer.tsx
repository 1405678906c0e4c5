import { Drawer, Table, Text } from "@mantine/core";
import type { Study } from "@arcada/contract/study/study.schema";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import styles from "./study-header-drawer.module.css";

interface Props {
  header: Study["header"];
  onClose: () => void;
}

/** Shows the header data of the study's files, beside the study. */
export function StudyHeaderDrawer({ header, onClose }: Props) {
  const t = useTexts("viewer");
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={t("viewer.header.title")}
      closeButtonProps={{ "aria-label": t("viewer.header.close") }}
    >
      <HeaderTable header={header} />
    </Drawer>
  );
}

function HeaderTable({ header }: { header: Study["header"] }) {
  const t = useTexts("viewer");
  if (header.length === 0) return <Text size="sm">{t("viewer.header.empty")}</Text>;
  return (
    <Table verticalSpacing={4} fz="sm">
      <Table.Tbody>
        {header.map(({ key, value }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row">{translateDynamic(t, `viewer.header.${key}`, key)}</Table.Th>
            <Table.Td className={styles.value}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
