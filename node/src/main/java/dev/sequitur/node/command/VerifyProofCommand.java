package dev.sequitur.node.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Refused;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.EndorsementProofs;
import dev.sequitur.node.rpc.method.EndorsementProofs.Told;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.PrivacyGroup.EndorsementPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur verify-proof}. */
@Command(
    name = "verify-proof",
    description = {
      "Checks from files that a privacy group has endorsed transactions. Asks no node.",
      "",
      "Each file holds what ptx_getEndorsementProof answered. Exit code 0: enough members have signed"
          + " each of them. 1: they have not, or a file tells another root than they have signed, or"
          + " another policy than that of --group. Its fields domain and public are covered by no"
          + " signature.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  curl -s http://127.0.0.1:8545 -H 'content-type: application/json' -d"
          + " '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ptx_getEndorsementProof\",\"params\":[\"ID\"]}'"
          + " > proof.json",
      "  sequitur verify-proof proof.json --group group.json"
    })
final class VerifyProofCommand implements Callable<Integer> {
  /** Of the largest committee, with the most states. */
  private static final long MOST_BYTES = 8 << 20;

  private final CommandContext context;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The proofs, a file each.")
  private List<Path> proofFiles;

  @Option(
      names = "--group",
      paramLabel = "FILE",
      description =
          "What pgroup_getGroupById answered at a node that you trust. Without it, the proof says"
              + " itself who had to sign it.")
  private Path groupFile;

  @Mixin private final AnswerOption answer = new AnswerOption();

  VerifyProofCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    // All are read before anything is said: a file that is none of them refuses the whole call.
    var told = proofFiles.stream().map(file -> read(file, EndorsementProofs::read)).toList();
    var trusted =
        Optional.ofNullable(groupFile).map(file -> read(file, EndorsementProofs::readGroup));
    NativeCode.ofUser();
    var signatures = new Secp256k1Signatures();
    var proofs = new ArrayList<Verified>();
    for (int i = 0; i < told.size(); i++) {
      proofs.add(verified(proofFiles.get(i), told.get(i), trusted, signatures));
    }
    var all = new AllVerified(proofs.stream().allMatch(proof -> proof.flaw() == null), proofs);
    answer.print(context.console().out(), all, AllVerified::text);
    return all.proven() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static Verified verified(
      Path file, Told told, Optional<EndorsementPolicy> trusted, Secp256k1Signatures signatures) {
    var proof = trusted.map(told.proof()::under).orElse(told.proof());
    var flaw =
        proof.flaw(signatures).or(told::otherRoot).or(() -> trusted.flatMap(told::otherPolicy));
    return Verified.of(file.toString(), proof, signatures, trusted.isPresent(), flaw.orElse(null));
  }

  /** What all files show, in the order of the command line. */
  private record AllVerified(boolean proven, List<Verified> proofs) {
    String text() {
      if (proofs.size() == 1) {
        return proofs.getFirst().text();
      }
      return proofs.stream()
          .map(proof -> proof.file() + ":\n" + proof.text())
          .collect(Collectors.joining("\n\n"));
    }
  }

  /**
   * What the proof shows.
   *
   * @param size how many transactions the root is of
   * @param index that of this one among them, from 0
   * @param trusted whether who had to sign it is told by --group, and not by the proof itself
   * @param flaw why it is not proven; null if it is
   */
  private record Verified(
      String file,
      String transaction,
      String contract,
      String root,
      long chainId,
      int size,
      int index,
      List<Signer> members,
      int threshold,
      boolean trusted,
      String flaw) {
    private record Signer(String identity, String verifier, boolean signed) {
      String line() {
        return "  %s %s %s".formatted(signed ? "signed    " : "not signed", verifier, identity);
      }
    }

    static Verified of(
        String file,
        EndorsementProof proof,
        Secp256k1Signatures signatures,
        boolean trusted,
        String flaw) {
      var prepared = proof.prepared();
      var path = prepared.proof().path();
      var signed = proof.endorsers(signatures);
      return new Verified(
          file,
          prepared.transaction().toString(),
          prepared.contract().toString(),
          EndorsementProofs.root(prepared).toString(),
          proof.policy().chainId(),
          path.size(),
          path.index(),
          proof.policy().quorum().committee().members().stream()
              .map(
                  member ->
                      new Signer(
                          member.identity().toString(),
                          member.verifier().toString(),
                          signed.contains(member)))
              .toList(),
          proof.policy().quorum().threshold(),
          trusted,
          flaw);
    }

    String text() {
      var lines = new ArrayList<String>();
      lines.add("Transaction " + transaction + " of contract " + contract);
      lines.add(
          "Root %s on chain %d, of %d transaction%s"
              .formatted(root, chainId, size, size == 1 ? "" : "s; this is number " + (index + 1)));
      members.forEach(member -> lines.add(member.line()));
      lines.add(
          flaw == null
              ? "Proven: %d of the %d members have signed it, and %d had to."
                  .formatted(
                      members.stream().filter(Signer::signed).count(), members.size(), threshold)
              : "Not proven: " + flaw);
      if (!trusted) {
        lines.add(
            "Who had to sign it is the file's own word: compare the keys, or name --group FILE.");
      }
      return String.join("\n", lines);
    }
  }

  /** Reads what a node answered, alone or with the envelope of JSON-RPC. */
  private static <T> T read(Path file, BiFunction<String, JsonNode, T> reader) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new WrongOption(
            file + " has more than " + MOST_BYTES + " bytes: it is no answer of a node.");
      }
      var content = Files.readAllBytes(file);
      if (new String(content, StandardCharsets.UTF_8).isBlank()) {
        throw new WrongOption(file + " is empty: write what the node answered into it, whole.");
      }
      var json = JsonText.parse(content);
      return reader.apply(file.toString(), json.has("jsonrpc") ? json.path("result") : json);
    } catch (IOException e) {
      throw new WrongOption(file + " cannot be read: name a file that you may read.");
    } catch (Refused e) {
      throw new WrongOption(
          "%s is not what the node answered, whole and unchanged: %s"
              .formatted(file, RpcFailure.of(e).text()));
    }
  }
}
