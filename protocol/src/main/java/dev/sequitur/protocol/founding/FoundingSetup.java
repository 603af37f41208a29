package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * What the making of groups goes by. The functions are pure.
 *
 * @param incarnation what the ids of its questions begin with: another one in each life and JVM
 * @param rules which groups this node takes
 * @param gas what is offered for a group's contract
 * @param isKey whether a verifier is a public key at all
 * @param quorum how many members of a committee must endorse, and sign its changes, by a group's
 *     configuration; throws an IllegalArgumentException with a sentence if that cannot be
 */
public record FoundingSetup(
    String incarnation,
    GroupRules rules,
    Gas gas,
    Predicate<Verifier> isKey,
    BiFunction<Bytes, Committee, Quorum> quorum) {}
