/** The readers of one file: each collects the facts of one kind, all in the same open file. */
import { Bindings } from "./binding/bindings.ts";
import { FieldBindings } from "./binding/fields.ts";
import { Parameters } from "./binding/parameters.ts";
import { DefinitionReader } from "./definitions/definition_reader.ts";
import { DetachedMethods } from "./definitions/detached_methods.ts";
import { TypeParameters } from "./definitions/type_parameters.ts";
import { AssignedVariables } from "./ecmascript/assigned_variables.ts";
import { MemberAssignments } from "./ecmascript/member_assignments.ts";
import type { OpenFile } from "./open_file.ts";
import { References } from "./references.ts";
import { RubyFills } from "./ruby/filled.ts";
import { Implementations } from "./rust/implementations.ts";
import { Uses } from "./uses.ts";

export class Readers {
  readonly file: OpenFile;
  readonly assignments: MemberAssignments;
  readonly fields: FieldBindings;
  readonly bindings: Bindings;
  readonly parameters: Parameters;
  readonly typeParameters: TypeParameters;
  readonly uses: Uses;
  readonly references: References;
  readonly implementations: Implementations;
  readonly detached: DetachedMethods;
  readonly definitions: DefinitionReader;

  constructor(file: OpenFile) {
    this.file = file;
    this.assignments = new MemberAssignments(file);
    const assigned = file.language.family === "ecmascript" ? new AssignedVariables(file.expressions) : undefined;
    const filledRuby = new RubyFills(file);
    this.fields = new FieldBindings(file, filledRuby);
    this.bindings = new Bindings(file, this.fields, filledRuby, this.assignments, assigned);
    this.parameters = new Parameters(file, assigned);
    this.typeParameters = new TypeParameters(file);
    this.uses = new Uses(file, this.assignments);
    this.references = new References(file);
    this.implementations = new Implementations(file);
    this.detached = new DetachedMethods(file, this.typeParameters);
    this.definitions = new DefinitionReader(file, this.implementations, this.parameters);
  }
}
