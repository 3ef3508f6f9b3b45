package import Transcript
package final class KeyLogFile: EventConsumer { package init(path: String) throws(EngineError) {}; package func consume(_ events: [Event]) {} }
package final class PcapngFile: EventConsumer { package init(path: String) throws(EngineError) {}; package func consume(_ events: [Event]) {} }
