"""The Chinese texts of the card of the pack for intra-oral films, and those of each name and set of its figures."""
import re

from shared.card_words import MEASURED_IN_PRODUCT

INTENDED_USE = "提示口内片的放置方向，以便一键转正，并提示片上{told}。它不是医疗器械，不发现疾病，也不给出牙位号。"
TOLD = {"restoration": "修复体", "implant": "种植体"}
LIMITS = (
    "只从绘制的片学得，只在绘制的片和一张真实咬翼片上测量。真实片上的数字几乎未知，很可能更差。不评估{withheld}。"
    "片上看不出牙位号，也看不出左右侧。只提示在绘制的片上十次中有九次正确的所见。"
)
TRAINED_ON = "由程序绘制的、生成口腔的片。不含任何人的影像。"
NAMES = {
    "F1 of teeth found (middle inside the tooth's box)": "找到牙齿的 F1（中心落在该牙的框内）",
    "F1 of teeth found (half of both boxes in common)": "找到牙齿的 F1（两框重叠一半以上）",
    "Found teeth that are named": "找到的牙中给出颌别与种类的比例",
    "Named teeth of which jaw and kind are right": "给出的颌别与种类中正确的比例",
    "Films for which a turn is given": "给出转正方向的片的比例",
    "Given turns that are right": "给出的方向中正确的比例",
    "Teeth with a restoration of which it is seen": "有修复体的牙中看出的比例",
    "Seen restorations that are right": "看出的修复体中属实的比例",
    "Teeth with an implant of which it is seen": "种植体中看出的比例",
    "Seen implants that are right": "看出的种植体中属实的比例",
}


def translate(metrics, told):
    """The translation of a card with these figures. @param told the findings that the pack tells"""
    words = {**MEASURED_IN_PRODUCT, **NAMES, "one real bitewing radiograph in four directions": "一张真实咬翼片的四个方向"}
    for metric in metrics:
        found = re.fullmatch(r"(\d+) drawn films, developed as no training film is", metric["set"])
        if found:
            words[metric["set"]] = f"{found[1]} 张绘制的片，其显影方式未用于训练"
    use = INTENDED_USE.format(told="、".join(["牙的种类", *(TOLD[finding] for finding in told)]))
    withheld = "、".join(["龋", "根尖病变", *(name for finding, name in TOLD.items() if finding not in told)])
    return {"intendedUse": use, "limits": LIMITS.format(withheld=withheld), "trainedOn": TRAINED_ON, "words": words}
