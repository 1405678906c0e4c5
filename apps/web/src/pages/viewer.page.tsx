import { renderShareButton } from "./share-of.tsx";
import { StudyPage } from "../viewer/study-page.tsx";

/** Pictures, volumes and models of a study. */
export const Page = () => <StudyPage preferVolume={false} actions={renderShareButton} />;
