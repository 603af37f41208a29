package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;

/**
 * What the making of groups goes by. The functions are pure.
 *
 * @param incarnation what the ids of its questions begin with: another one in each life and JVM
 * @param rules which groups this node takes
 * @param gas what is offered for a group's contract
 * @param isKey whether a verifier is a public key at all
 * @param threshold how many members of a committee must endorse, by a group's configuration; throws
 *     an IllegalArgumentException with a sentence if that cannot be
 */
public record FoundingSetup(
    String incarnation,
    GroupRules rules,
    Gas gas,
    Predicate<Verifier> isKey,
    ToIntBiFunction<Bytes, Committee> threshold) {}
