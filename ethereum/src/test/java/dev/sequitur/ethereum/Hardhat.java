package dev.sequitur.ethereum;

import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import org.junit.jupiter.api.Assumptions;

/**
 * A chain of another product, whose EVM, pool and words are its own. Gas costs nothing on it. Its
 * blocks have room for so much that none is more than half full: else the price would rise.
 */
public final class Hardhat extends DevChain {
  private static final String LISTENING = "Started HTTP and WebSocket JSON-RPC server at ";
  private static final String AN_ETHER = "0xde0b6b3a7640000";
  private static final long ROOM = 20 * BLOCK_GAS;

  private final Process process;
  private final URI address;
  private String beforeNewest = "";

  private Hardhat(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Makes a block when it is told to. Skips the test with the reason where it cannot run. */
  static Hardhat start() {
    return start(0);
  }

  /** Makes a block each second by itself. */
  public static Hardhat startWithBlocks() {
    return start(1);
  }

  private static Hardhat start(int blockSeconds) {
    try {
      var home = Node.hardhat();
      var starting =
          new ProcessBuilder(
                  "node",
                  home.resolve("node_modules/hardhat/internal/cli/bootstrap.js").toString(),
                  "node",
                  "--hostname",
                  "127.0.0.1",
                  "--port",
                  Integer.toString(FreePorts.inARow(1)))
              .directory(home.toFile())
              .redirectErrorStream(true);
      // Else it asks whether it may send reports, and waits.
      starting.environment().put("CI", "true");
      // Else its lines begin with colours.
      starting.environment().put("NO_COLOR", "1");
      starting.environment().put("BLOCK_SECONDS", Integer.toString(blockSeconds));
      starting.environment().put("BLOCK_GAS", Long.toString(ROOM));
      starting.environment().put("CHAIN_ID", Long.toString(CHAIN));
      var process = starting.start();
      return new Hardhat(process, listening(process));
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
        // It says a line for each call, so the pipe is kept empty.
        Thread.ofPlatform().daemon().start(() -> out.lines().forEach(each -> {}));
        return URI.create(line.substring(LISTENING.length()).strip());
      }
      said.add(line);
    }
    return Assumptions.abort("hardhat does not start here: " + said);
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

  /** What was in the block waits in the pool then, and is in the one that replaces it. */
  @Override
  void replaceNewest() {
    call("evm_revert", beforeNewest);
    // Another time makes another hash, even if nothing was in it.
    call("evm_mine", nextTime() + 1);
  }

  @Override
  public void fund(String account) {
    call("hardhat_setBalance", account, AN_ETHER);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
