package dev.sequitur.node.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.process.NativeCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.method.EndorsementProofs;
import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.sequencer.crypto.Secp256k1Signatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur verify-proof}. */
@Command(
    name = "verify-proof",
    description = {
      "Checks from a file that a privacy group has endorsed a transaction. Asks no node.",
      "",
      "The file holds what ptx_getEndorsementProof answered. Exit code 0: enough members have signed"
          + " it. 1: they have not, or the file tells another root than they have signed, or another"
          + " policy than that of --group. Its fields domain and public are covered by no signature.",
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

  @Parameters(paramLabel = "FILE", description = "The proof.")
  private Path proofFile;

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
    var told = read(proofFile, EndorsementProofs::read);
    var trusted =
        Optional.ofNullable(groupFile).map(file -> read(file, EndorsementProofs::readGroup));
    var proof = trusted.map(told.proof()::under).orElse(told.proof());
    NativeCode.ofUser();
    var signatures = new Secp256k1Signatures();
    var flaw =
        proof.flaw(signatures).or(told::otherRoot).or(() -> trusted.flatMap(told::otherPolicy));
    answer.print(
        context.console().out(),
        Verified.of(proof, signatures, trusted.isPresent(), flaw.orElse(null)),
        Verified::text);
    return flaw.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
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
        EndorsementProof proof, Secp256k1Signatures signatures, boolean trusted, String flaw) {
      var prepared = proof.prepared();
      var path = prepared.proof().path();
      var signed = proof.endorsers(signatures);
      return new Verified(
          prepared.transaction().toString(),
          prepared.contract().toString(),
          EndorsementProofs.root(prepared).toString(),
          proof.policy().chainId(),
          path.size(),
          path.index(),
          proof.policy().committee().members().stream()
              .map(
                  member ->
                      new Signer(
                          member.identity().toString(),
                          member.verifier().toString(),
                          signed.contains(member)))
              .toList(),
          proof.policy().threshold(),
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
      var json = JsonText.parse(Files.readAllBytes(file));
      return reader.apply(file.toString(), json.has("jsonrpc") ? json.path("result") : json);
    } catch (IOException e) {
      throw new WrongOption(file + " cannot be read: name a file that you may read.");
    } catch (RpcFailure e) {
      throw new WrongOption(
          "%s is not what the node answered, whole and unchanged: %s".formatted(file, e.text()));
    }
  }
}
