import { renderShareButton } from "./share/study-share-button.tsx";
import { StudyPage } from "../viewer/study-page.tsx";

/** Images, volumes and models of a study. */
export const Page = () => <StudyPage preferVolume={false} actions={renderShareButton} />;
