/** Suggests documents about the focus: those of the repository, and sections of collections. */
import { quoteLine } from "../../redact/quote.ts";
import type { Candidate, Evidence, ProjectView } from "../evidence.ts";
import { leadFeature } from "../scale.ts";
import type { MatchedSection } from "../view/documents.ts";

const MAX_FOCUS = 3;
export function relatedDocuments(view: ProjectView): Candidate[] {
  return [...repositoryDocuments(view), ...sections(view)];
}

function repositoryDocuments({ focus, graph }: ProjectView): Candidate[] {
  if (!graph) return [];
  const found: Candidate[] = [];
  const about = (no: number, what: string, share: number): void => {
    const naming = graph.incoming(no, ["DOCUMENTS"]).filter(({ edge }) => edge.resolution !== "ambiguous");
    const documents = new Set(naming.map(({ entity }) => entity.path));
    for (const { entity, edge } of naming) {
      const strength = edge.confidence / Math.max(1, documents.size);
      const evidence: Evidence = { kind: "doc_names", strength, share, reason: `names ${what}` };
      found.push({
        type: "doc",
        // The same id that other providers give to the file, so that the evidence for it adds up.
        entityId: `file:${entity.path}`,
        title: `Doc: ${entity.path}`,
        summary: quoteLine(`${entity.doc || entity.name} mentions ${what} at line ${edge.line}`, 200),
        actionUrl: `${entity.path}:${edge.line}`,
        time: null,
        evidence: [evidence],
      });
    }
  };
  for (const { path, share } of focus.files.slice(0, MAX_FOCUS)) {
    const file = graph.file(path);
    const root = file && graph.entities(file.no)[0];
    if (root) about(root.no, path, share);
  }
  for (const symbol of focus.symbols.slice(0, MAX_FOCUS)) about(symbol.no, symbol.qualified, 1);
  return found;
}

function sections({ focus, activity, documents }: ProjectView): Candidate[] {
  if (!documents) return [];
  const found: Candidate[] = [];
  for (const section of activity.prompt === undefined ? [] : documents.find(activity.prompt)) {
    const features = { lead: leadFeature(section.lead), likeness: section.likeness ?? 0 };
    const reason = "about what the prompt asks";
    found.push(candidate(section, { kind: "doc_words", strength: 0, features, share: 1, reason }));
  }
  for (const name of focus.names.slice(0, MAX_FOCUS)) {
    const naming = documents.find(name).filter(({ text }) => text.includes(name));
    for (const section of naming) {
      const strength = 1 / naming.length;
      found.push(candidate(section, { kind: "doc_names", strength, share: 1, reason: `names ${name}` }));
    }
  }
  return found;
}

function candidate(section: MatchedSection, evidence: Evidence): Candidate {
  return {
    type: "doc",
    entityId: `doc:${section.address}`,
    title: `Doc: ${quoteLine(section.title, 80)}`,
    summary: quoteLine(section.snippet, 200),
    actionUrl: section.address,
    time: section.updated,
    evidence: [evidence],
  };
}
