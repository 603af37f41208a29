package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.Fees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A chain of another product. It differs from anvil in what a connector can meet: a block has a
 * price for gas, the pool's transactions are not counted, the very same transaction again is called
 * a replacement, and there is no call for raw transactions.
 */
public final class Ganache extends DevChain {
  private static final String LISTENING = "RPC Listening on ";
  private static final String NEVER = "1000000";
  private static final String MILLION_ETHER = "0xd3c21bcecceda1000000";
  private static final int WORD = 32;
  private static final int FIRST_V = 27;

  private final Process process;
  private final URI address;
  private String beforeNewest = "";

  private Ganache(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Makes a block when it is told to. Skips the test with the reason where it cannot run. */
  static Ganache start() {
    return start(NEVER);
  }

  /** Makes a block each second by itself. */
  public static Ganache startWithBlocks() {
    return start("1");
  }

  private static Ganache start(String blockSeconds) {
    try {
      var program = Node.modules().resolve("ganache/dist/node/cli.js");
      Assumptions.assumeTrue(Files.exists(program), "npm has not installed ganache.");
      var command = new ArrayList<>(List.of("node", program.toString()));
      command.addAll(List.of("--server.port", "" + freePort(), "--chain.chainId", "" + CHAIN));
      command.addAll(List.of("--miner.blockGasLimit", "" + BLOCK_GAS));
      command.addAll(List.of("--miner.blockTime", blockSeconds));
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new Ganache(process, listening(process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static URI listening(Process process) throws IOException {
    var out = process.inputReader();
    var said = new ArrayList<String>();
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread.ofPlatform().daemon().start(() -> out.lines().forEach(each -> {}));
        return URI.create("http://" + line.substring(LISTENING.length()));
      }
      said.add(line);
    }
    throw new IOException("ganache ended before it listened: " + said);
  }

  @Override
  public URI address() {
    return address;
  }

  @Override
  void mine() {
    beforeNewest = call("evm_snapshot").textValue();
    call("evm_mine", nextTime());
  }

  @Override
  void replaceNewest() {
    var raw = new ArrayList<String>();
    for (var transaction : call("eth_getBlockByNumber", "latest", true).get("transactions")) {
      raw.add(raw(transaction).toHex());
    }
    call("evm_revert", beforeNewest);
    // Another time makes another hash, even if nothing was in it.
    call("evm_mine", nextTime() + 1);
    raw.forEach(each -> call("eth_sendRawTransaction", each));
  }

  private static Bytes raw(JsonNode transaction) {
    var signature =
        ByteBuffer.allocate(2 * WORD + 1)
            .put(word(transaction, "r"))
            .put(word(transaction, "s"))
            .put((byte) (FIRST_V + ChainJson.number(transaction, "v")));
    return new FeeMarketTransaction(
            CHAIN,
            ChainJson.number(transaction, "nonce"),
            new Fees(
                ChainJson.number(transaction, "maxFeePerGas"),
                ChainJson.number(transaction, "maxPriorityFeePerGas")),
            ChainJson.number(transaction, "gas"),
            ChainJson.bytes(transaction, "to"),
            ChainJson.bytes(transaction, "input"))
        .signed(Bytes.of(signature.array()));
  }

  /** Leading zeros are left out. */
  private static byte[] word(JsonNode transaction, String name) {
    var digits = ChainJson.text(transaction, name).substring(2);
    return Bytes.hex("0x" + "0".repeat(2 * WORD - digits.length()) + digits).toByteArray();
  }

  @Override
  public void fund(String account) {
    call("evm_setAccountBalance", account, MILLION_ETHER);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
